// Fills time that a change has freed with later work. Only single sessions move, and only into that
// time: the rest of the plan stays as it is.
import { scalarCost } from '../objective/cost.ts'
import { costOfMoves } from '../objective/stability.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart, guardsAround, merge } from '../placement/keep-previous.ts'
import { firstAfter } from '../problem/intervals.ts'
import type { Sessions } from '../problem/sessions.ts'
import type { RepairContext } from './repair-greedy.ts'

/** The maximum number of minutes by which a session is brought forward: seven days. */
const MAX_FORWARD = 7 * 1440
/** A session is brought forward if its task gains more than this share of the usual cost of a move. */
const MOVE_SHARE = 1 / 8

type Refill = { task: number; sessions: Sessions; gainPerMinute: number }

/** `freed` are the stretches that may be filled. */
export const refillFreedTime = (context: RepairContext, freed: Int32Array): void => {
  const { draft } = context
  draft.commit()
  for (;;) {
    let best: Refill | undefined
    for (const { task, start, end } of draft.inOrder) {
      const found = bringForward(context, freed, task, start, end)
      if (found && found.gainPerMinute > (best?.gainPerMinute ?? 0)) best = found
    }
    if (!best) return
    draft.set(best.task, best.sessions)
    draft.commit()
  }
}

const bringForward = (
  context: RepairContext,
  freed: Int32Array,
  task: number,
  start: number,
  end: number,
): Refill | undefined => {
  const { draft } = context
  const before = draft.sessions[task]!
  const others = before.filter((_, i) => before[i - (i % 2)] !== start)
  const place = earliestPlace(context, freed, task, others, start, end - start)
  if (place === undefined) return undefined
  const sessions = merge(others, [place, place + end - start])
  const gain =
    scalarCost(draft.costOf(task, before)) -
    scalarCost(draft.costOf(task, sessions)) -
    MOVE_SHARE * costOfMoves(context, before, sessions)
  return gain > 0 ? { task, sessions, gainPerMinute: gain / (end - start) } : undefined
}

/** The first start in the freed time at which a session of this length fits before `until`. */
const earliestPlace = (
  { draft }: RepairContext,
  freed: Int32Array,
  task: number,
  others: Sessions,
  until: number,
  length: number,
): number | undefined => {
  const { compiled } = draft
  const forbidden = [compiled.guards[task]!, guardsAround(compiled, task, others)]
  const { free } = compiled.classes[compiled.classOf[task]!]!
  const from = Math.max(earliestStart(draft, task), until - MAX_FORWARD)
  for (let i = firstAfter(freed, from); i < freed.length; i += 2) {
    for (let k = firstAfter(free, freed[i]!); k < free.length && free[k]! < freed[i + 1]!; k += 2) {
      const last = Math.min(freed[i + 1]!, free[k + 1]!, until)
      let start = Math.max(freed[i]!, free[k]!, from)
      while (start + length <= last) {
        const obstacleEnd = firstObstacleEnd(draft, forbidden, start, start + length)
        if (obstacleEnd === undefined) return start
        start = obstacleEnd
      }
    }
  }
  return undefined
}

/** The end of a session or forbidden stretch that overlaps the given one, if there is any. */
const firstObstacleEnd = (
  { placer }: Draft,
  forbidden: readonly Int32Array[],
  start: number,
  end: number,
): number | undefined => {
  const { timeline } = placer
  const i = timeline.after(start)
  if (i < timeline.size && timeline.starts[i]! < end) return timeline.ends[i]
  for (const pairs of forbidden) {
    const k = firstAfter(pairs, start)
    if (k < pairs.length && pairs[k]! < end) return pairs[k + 1]
  }
  return undefined
}
