import { describe, expect, it } from 'vitest'
import { createSolverContext } from '../src/construction/solver-context.ts'
import { searchRepairs } from '../src/local-search/repair-search.ts'
import { moveCostsOf } from '../src/objective/stability.ts'
import { Draft } from '../src/placement/draft.ts'
import { reuseValidBlocks } from '../src/placement/keep-previous.ts'
import { compile } from '../src/problem/compile.ts'
import { ranks } from '../src/solve/solve-with-stability.ts'
import { randomDemandingProblem } from './random-problem.ts'

/** A draft with the tasks in another order than the earlier plan, after the search. */
const searched = (seed: number, requested: number): Draft => {
  const compiled = compile(randomDemandingProblem(seed))
  const { order, unavoidable } = createSolverContext(compiled)
  const none = compiled.tasks.map(() => [])
  const earlier = new Draft(compiled)
  reuseValidBlocks(earlier, none, order)
  const draft = new Draft(compiled)
  const other = [...compiled.topological].filter((j) => compiled.need[j]! > 0)
  reuseValidBlocks(draft, none, other)
  const context = {
    draft,
    ...moveCostsOf(compiled),
    unavoidable,
    rank: ranks(compiled, order),
    requested: new Set(order.slice(0, requested)),
  }
  searchRepairs(context, earlier.sessions, 200)
  return draft
}

describe('the repair search', () => {
  it('keeps tasks after their predecessors', () => {
    // With these seeds, the best plan used to restore blocks that started before a predecessor ended.
    for (const [seed, requested] of [
      [574, 1],
      [603, 0],
      [761, 2],
      [897, 0],
    ] as const) {
      const draft = searched(seed, requested)
      const { compiled, sessions } = draft
      for (const [j, [start]] of sessions.entries()) {
        if (start === undefined) continue
        for (const i of compiled.predecessors[j]!) {
          expect([draft.rest(i), draft.end(i) <= start]).toEqual([0, true])
        }
      }
    }
  })
})
