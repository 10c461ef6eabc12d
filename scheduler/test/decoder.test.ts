import { expect, it } from 'vitest'
import { createInitialSolutions } from '../src/construction/initial-solutions.ts'
import { createSolverContext } from '../src/construction/solver-context.ts'
import { searchByLateAcceptance } from '../src/local-search/late-acceptance.ts'
import { costOf } from '../src/objective/cost.ts'
import { Timeline } from '../src/placement/timeline.ts'
import { compile } from '../src/problem/compile.ts'
import { randomDemandingProblem } from './random-problem.ts'

it('the cost that the decoder updates with each move equals the cost of the plan', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const compiled = compile(randomDemandingProblem(seed))
    const decoder = createInitialSolutions(createSolverContext(compiled)).decoders[0]!
    // Tasks that need nothing have a cost too, which no sequence changes.
    const fixed = costOf(compiled, decoder.sessions()).lateness - decoder.cost.lateness

    for (let budget = 1; budget < 60; budget += 7) {
      searchByLateAcceptance(compiled, decoder, budget, seed * budget)
      const cost = costOf(compiled, decoder.sessions())

      expect([seed, cost.lateness - fixed, cost.leftOver]).toEqual([
        seed,
        decoder.cost.lateness,
        decoder.cost.leftOver,
      ])
    }
  }
})

it('the timeline merges touching intervals and splits them on removal', () => {
  const timeline = new Timeline()
  const pairs = () =>
    Array.from({ length: timeline.size }, (_, i) => [timeline.starts[i], timeline.ends[i]])

  timeline.insert(10, 20)
  timeline.insert(30, 40)
  timeline.insert(20, 30)
  expect(pairs()).toEqual([[10, 40]])

  timeline.remove(15, 25)
  expect(pairs()).toEqual([
    [10, 15],
    [25, 40],
  ])
  expect([timeline.isFree(15, 25), timeline.isFree(14, 16)]).toEqual([true, false])
})
