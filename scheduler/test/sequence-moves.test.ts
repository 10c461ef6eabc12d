import { describe, expect, it } from 'vitest'
import { solutionsByRules } from '../src/construction/initial-solutions.ts'
import { createSolverContext } from '../src/construction/solver-context.ts'
import { randomFrom } from '../src/local-search/random.ts'
import { resizeSession } from '../src/local-search/resize-move.ts'
import {
  newSequenceState,
  type SequenceChange,
  type SequenceState,
} from '../src/local-search/sequence-state.ts'
import { drawSequenceMove, SEQUENCE_MOVES } from '../src/local-search/sequence-moves.ts'
import { swapNear } from '../src/local-search/swap-moves.ts'
import { compile } from '../src/problem/compile.ts'
import { randomDemandingProblem } from './random-problem.ts'

/** States of random problems in which turns can change their places. */
const states = (): SequenceState[] =>
  Array.from({ length: 120 }, (_, i) => stateOf(i + 1)).filter(({ decoder }) => decoder.size > 1)

const stateOf = (seed: number): SequenceState => {
  const compiled = compile(randomDemandingProblem(seed))
  const decoder = solutionsByRules(createSolverContext(compiled)).at(-1)!
  decoder.start(decoder.order.slice())
  return newSequenceState(compiled, decoder, randomFrom(seed))
}

/** The whole sequence after the change. */
const changed = ({ decoder, sequence }: SequenceState, { low, high }: SequenceChange): number[] => {
  const order = [...decoder.order]
  order.splice(low, high - low + 1, ...sequence.subarray(low, high + 1))
  return order
}

/** The parts of the state that a search can see. */
const seen = ({ decoder, set, inSet }: SequenceState) => ({
  order: [...decoder.order],
  place: [...decoder.place],
  quota: [...decoder.quota],
  cost: decoder.cost,
  set: [...set, ...inSet.filter((mark) => mark > 0)],
})

/** The pairs of turns that the sequence puts in a forbidden order. */
const violations = ({ compiled, decoder }: SequenceState, order: readonly number[]): string[] => {
  const place = new Map(order.map((e, at) => [e, at]))
  return order.flatMap((e) => {
    const later = decoder.after[e]!
    const isFirst = decoder.before[e] === -1
    const waitsFor = isFirst ? compiled.predecessors[decoder.taskOf[e]!]! : []
    return [
      ...(later >= 0 && place.get(later)! < place.get(e)! ? [`${later} before ${e}`] : []),
      ...[...waitsFor]
        .map((i) => decoder.lastTurn[i]!)
        .filter((last) => last >= 0 && place.get(last)! > place.get(e)!)
        .map((last) => `${e} before ${last}`),
    ]
  })
}

describe.each(SEQUENCE_MOVES)('the move: $move.name', ({ move }) => {
  it('finds changes', () => {
    const found = states().filter((state) => move.propose(state))

    expect(found.length).toBeGreaterThan(5)
  })

  it('keeps the turns, and their order within a task and after its predecessors', () => {
    for (const state of states()) {
      expect(violations(state, [...state.decoder.order])).toEqual([])
      for (let round = 0; round < 20; round++) {
        const change = move.propose(state)
        if (!change) continue
        const order = changed(state, change)

        expect(order.toSorted((a, b) => a - b)).toEqual([...order.keys()])
        expect(violations(state, order)).toEqual([])
        move.undo(state, change)
      }
    }
  })

  it('describes the turns that only shift', () => {
    for (const state of states()) {
      const change = move.propose(state)
      if (!change || change.shift === 0) continue
      const { low, shiftedUntil, shift } = change
      const { order } = state.decoder

      expect(changed(state, change).slice(low + shift, shiftedUntil + shift)).toEqual([
        ...order.subarray(low, shiftedUntil),
      ])
    }
  })

  it('leaves the state as it was: after undo, and if it finds no change', () => {
    for (const state of states()) {
      const before = seen(state)
      for (let round = 0; round < 20; round++) {
        const change = move.propose(state)
        if (change) move.undo(state, change)

        expect(seen(state)).toEqual(before)
      }
    }
  })

  it('proposes the same for the same random numbers', () => {
    const proposals = () =>
      states().map((state) => {
        const change = move.propose(state)
        return change && { change, order: changed(state, change), quota: [...state.decoder.quota] }
      })

    expect(proposals()).toEqual(proposals())
  })
})

describe('drawing a move', () => {
  const drawMove = (state: SequenceState, number: number) =>
    drawSequenceMove({ ...state, random: () => number })

  it('draws every move according to its share', () => {
    const state = states().find(({ resizable }) => resizable.length > 0)!
    const shares = SEQUENCE_MOVES.map(
      ({ below }, i) => (below + (SEQUENCE_MOVES[i - 1]?.below ?? 0)) / 2,
    )

    expect(shares.map((number) => drawMove(state, number))).toEqual(
      SEQUENCE_MOVES.map(({ move }) => move),
    )
  })
  it('swaps near turns where no session can be resized', () => {
    const state = states().find(({ resizable }) => resizable.length === 0)!

    expect(drawMove(state, 0.95)).toBe(swapNear)
    expect(resizeSession.propose(state)).toBeUndefined()
  })
})
