// Reduces task switches, the number of sessions and short sessions in a plan that is not in the calendar
// yet. Lateness and left-over work never grow; the cost of earliness may grow a little.
import type { Cost } from '../model.ts'
import { type DayBlock, switchCost } from '../objective/switch-cost.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import { daysOf } from './day-order.ts'
import { EjectionChain } from './ejection-chain.ts'
import {
  gatherMoves,
  joinMoves,
  removalMoves,
  type SwitchMove,
  type SwitchState,
} from './switch-moves.ts'

/** The number of moves to try. It is a count, not a time, so that every machine finds the same plan. */
const BUDGET = 250

/** `rank` is the position of each task in an order in which it comes after its predecessors. */
export const reduceSwitches = (draft: Draft, rank: Int32Array): void => {
  const { compiled, sessions } = draft
  const state: SwitchState = { draft, chain: new EjectionChain(draft, rank) }
  const midnights = midnightsOf(compiled)
  const occupiedUntil = ({ start, end }: DayBlock) =>
    draft.placer.timeline.occupiedUntil(start, end)
  const days = () => daysOf(draft.inOrder, midnights, compiled.horizon, occupiedUntil)
  const costOfOrder = (blocks: readonly DayBlock[]) => {
    let cost = 0
    for (const day of daysOf(blocks, midnights, compiled.horizon)) {
      cost += switchCost(compiled, day.blocks)
    }
    return cost
  }
  draft.commit()
  let current = costOfOrder(draft.inOrder)
  let left = BUDGET

  /** What the changes of the draft save; 0 if they are not allowed. */
  const gain = (): number => {
    if (!keepsPrecedence(draft)) return 0
    const { lateness, leftOver, earliness } = costChange(draft)
    if (lateness > 0 || leftOver > 0) return 0
    return current - costOfOrder(draft.order()) - earliness / 3600
  }

  /** Makes the move with the largest gain, if there is one. */
  const improve = (moves: readonly SwitchMove[]): boolean => {
    let best: SwitchMove | undefined
    let most = 1e-6
    for (const move of moves.slice(0, left)) {
      const change = move.propose(state)
      if (!change) continue
      const saved = gain()
      move.undo(state, change)
      if (saved <= most) continue
      most = saved
      best = move
    }
    left -= Math.min(left, moves.length)
    if (!best) return false
    best.propose(state)
    draft.commit()
    current = costOfOrder(draft.inOrder)
    return true
  }

  /** Improves one day until none of its moves helps. */
  const improveDay = (midnight: number): boolean => {
    for (let improved = false; ; improved = true) {
      const day = days().find((one) => one.midnight === midnight)
      const moves = day ? [...joinMoves(draft, day), ...removalMoves(day)] : []
      if (!improve(moves)) return improved
    }
  }

  // Once the budget is used up, no move is tried, so the loop ends.
  for (let improved = true; improved;) {
    improved = false
    for (const { midnight } of days()) if (improveDay(midnight)) improved = true
    for (let j = 0; j < sessions.length; j++) {
      if (hasTooManyParts(draft, j) && improve(gatherMoves(draft, j))) improved = true
    }
  }
}

const hasTooManyParts = ({ compiled, sessions }: Draft, j: number): boolean =>
  compiled.split[j] === 1 &&
  sessions[j]!.length / 2 > Math.ceil(compiled.need[j]! / compiled.max[j]!)

/** By how much the changes raise the cost of the plan. */
const costChange = (draft: Draft): Cost => {
  const change: Cost = { lateness: 0, leftOver: 0, earliness: 0 }
  for (const { task, sessions } of draft.changes()) {
    const before = draft.costOf(task, sessions)
    const after = draft.costOf(task, draft.sessions[task]!)
    change.lateness += after.lateness - before.lateness
    change.leftOver += after.leftOver - before.leftOver
    change.earliness += after.earliness - before.earliness
  }
  return change
}

/** Whether the changed tasks start after their predecessors, and end before their successors. */
const keepsPrecedence = (draft: Draft): boolean => {
  const { compiled, sessions } = draft
  return draft.changes().every(({ task }) => {
    const start = sessions[task]![0]
    if (start !== undefined && start < earliestStart(draft, task)) return false
    return compiled.successors[task]!.every((s) => {
      const starts = sessions[s]![0]
      return starts === undefined || (draft.rest(task) === 0 && starts >= draft.end(task))
    })
  })
}

/** The local midnights from the start of today until after the horizon, in minutes. */
const midnightsOf = ({ problem, timezone, t0 }: Compiled): number[] => {
  const today = Temporal.Instant.fromEpochMilliseconds(problem.now)
    .toZonedDateTimeISO(timezone)
    .startOfDay()
  return Array.from({ length: 17 }, (_, days) =>
    Math.floor((today.add({ days }).startOfDay().epochMilliseconds - t0) / 60_000),
  )
}
