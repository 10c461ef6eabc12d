import { describe, expect, it } from 'vitest'
import { createSolverContext } from '../src/construction/solver-context.ts'
import { lossesByMoving } from '../src/local-search/losses.ts'
import { undoDraft } from '../src/local-search/move.ts'
import { randomFrom } from '../src/local-search/random.ts'
import { claimMove } from '../src/local-search/repair-greedy.ts'
import {
  claimForEarlier,
  claimForLate,
  claimForRequested,
  drawRepairMove,
  newRepairState,
  type RepairMove,
  type RepairState,
  restoreBlocks,
} from '../src/local-search/repair-moves.ts'
import { moveCostsOf } from '../src/objective/stability.ts'
import { Draft } from '../src/placement/draft.ts'
import { earliestStart, reuseValidBlocks } from '../src/placement/keep-previous.ts'
import { compile } from '../src/problem/compile.ts'
import { ranks } from '../src/solve/solve-with-stability.ts'
import { randomDemandingProblem } from './random-problem.ts'

/** The draft has the tasks in another order than the earlier plan, so that some were moved. */
const stateOf = (seed: number): RepairState => {
  const compiled = compile(randomDemandingProblem(seed))
  const { order, unavoidable } = createSolverContext(compiled)
  const none = compiled.tasks.map(() => [])
  const earlier = new Draft(compiled)
  reuseValidBlocks(earlier, none, order)
  const draft = new Draft(compiled)
  const other = [...compiled.topological].filter((j) => compiled.need[j]! > 0)
  reuseValidBlocks(draft, none, other)
  draft.commit()
  const context = {
    draft,
    ...moveCostsOf(compiled),
    unavoidable,
    rank: ranks(compiled, order),
    requested: new Set(order.slice(0, 2)),
  }
  return newRepairState(context, earlier.sessions, randomFrom(seed))
}

const states = (): RepairState[] =>
  Array.from({ length: 120 }, (_, i) => stateOf(i + 1)).filter(({ placed }) => placed.length > 1)

/** A claim with given limits, as the greedy repair tries it, for the worst task. */
const greedyClaim: RepairMove = {
  name: 'claim time for a task within given limits',
  undo: undoDraft,
  propose: ({ draft, chain, worst }) => {
    const j = worst.find((one) => earliestStart(draft, one) < Infinity)
    if (j === undefined) return undefined
    const limits = {
      from: earliestStart(draft, j),
      loss: Infinity,
      by: 'task',
      chain: true,
    } as const
    return claimMove(j, limits).propose({ draft, chain, losses: { ofTask: lossesByMoving(draft) } })
  },
}

const MOVES = [restoreBlocks, claimForRequested, claimForLate, claimForEarlier, greedyClaim]

/** The parts of the draft that a search can see. */
const seen = ({ draft }: RepairState) => ({
  sessions: draft.sessions.map((pairs) => [...pairs]),
  order: draft.order(),
  changes: draft.changes().length,
})

/** Sessions that overlap, and tasks with more minutes than they need. */
const conflicts = ({ draft }: RepairState): string[] => {
  const order = draft.order()
  return [
    ...order.flatMap(({ task, start }, i) =>
      i > 0 && order[i - 1]!.end > start ? [`${task} overlaps at ${start}`] : [],
    ),
    ...draft.sessions.flatMap((_, j) => (draft.rest(j) < 0 ? [`${j} has too many minutes`] : [])),
  ]
}

const startsBeforePredecessors = ({ draft }: RepairState): string[] =>
  draft.sessions.flatMap(([start], j) =>
    [...draft.compiled.predecessors[j]!]
      .filter((i) => start !== undefined && (draft.rest(i) > 0 || draft.end(i) > start))
      .map((i) => `${j} starts before ${i} ends`),
  )

describe.each(MOVES)('the move: $name', (move) => {
  it('finds changes', () => {
    const found = states().filter((state) => move.propose(state))

    expect(found.length).toBeGreaterThan(5)
  })

  it('keeps sessions apart and within the need of their tasks', () => {
    for (const state of states()) {
      for (let round = 0; round < 10; round++) {
        if (move.propose(state)) state.draft.commit()

        expect(conflicts(state)).toEqual([])
      }
    }
  })

  it('leaves the draft as it was: after undo, and if it finds no change', () => {
    for (const state of states()) {
      const before = seen(state)
      for (let round = 0; round < 10; round++) {
        const change = move.propose(state)
        if (change) move.undo(state, change)

        expect(seen(state)).toEqual(before)
      }
    }
  })

  it('proposes the same for the same random numbers', () => {
    const proposals = () =>
      states().map((state) => {
        move.propose(state)
        return seen(state)
      })

    expect(proposals()).toEqual(proposals())
  })

  it('keeps tasks after their predecessors', () => {
    for (const state of states()) {
      for (let round = 0; round < 10; round++) {
        if (move.propose(state)) state.draft.commit()

        expect(startsBeforePredecessors(state)).toEqual([])
      }
    }
  })
})

describe('drawing a move', () => {
  const none = { moved: [], requested: [], worst: [], placed: [] }
  const drawMove = (state: Partial<RepairState>, number: number) =>
    drawRepairMove({ ...stateOf(1), ...none, ...state, random: () => number })

  it('draws only moves that have a task', () => {
    const numbers = [0.1, 0.3, 0.5, 0.95]

    expect(numbers.map((number) => drawMove({ worst: [0] }, number))).toEqual(
      numbers.map(() => claimForLate),
    )
    expect(drawMove({ moved: [0], requested: [0] }, 0.1)).toBe(restoreBlocks)
    expect(drawMove({ moved: [0], requested: [0] }, 0.3)).toBe(claimForRequested)
    expect(drawMove({ worst: [0], placed: [0] }, 0.5)).toBe(claimForLate)
    expect(drawMove({ worst: [0], placed: [0] }, 0.95)).toBe(claimForEarlier)
  })
})
