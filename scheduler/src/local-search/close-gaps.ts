// Moves sessions forward into the idle time before them, in a plan that is not in the calendar yet. Their
// order does not change.
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import { earliestRoom } from './day-order.ts'

/** Moves each session, in order of time, to the earliest free place after the previous session. */
export const closeGaps = (draft: Draft): void => {
  const { compiled } = draft
  // With preferred times idle time may be intended: a share kept free, or hours reserved for long work.
  if (compiled.classes.some(({ preferred }) => preferred.long.length > 0)) return
  let cursor = 0
  for (const { task, start, end } of draft.inOrder) {
    const from = Math.max(
      cursor,
      startOfDay(compiled, start),
      earliestStart(draft, task),
      afterOwnSession(draft, task, start),
    )
    const begin = earliestRoom(compiled, task, from, end - start)
    const isEarlier = begin >= 0 && begin < start
    if (isEarlier) move(draft, task, start, begin)
    const placed = isEarlier ? begin : start
    cursor = draft.placer.timeline.occupiedUntil(placed, placed + end - start)
  }
}

/** The end of the cooldown after the task's previous session. */
const afterOwnSession = ({ compiled, sessions }: Draft, task: number, start: number): number => {
  const own = sessions[task]!
  const i = own.indexOf(start)
  return i > 0 ? own[i - 1]! + compiled.cooldown[task]! : 0
}

/** With a daily limit a session stays on its day: the day before may have no minutes left. */
const startOfDay = ({ dailyLimit }: Compiled, minute: number): number =>
  dailyLimit === null ? 0 : dailyLimit.starts[dailyLimit.dayOf[minute]!]!

const move = (draft: Draft, task: number, from: number, to: number): void => {
  const sessions = [...draft.sessions[task]!]
  const i = sessions.indexOf(from)
  const end = sessions[i + 1]! - from + to
  sessions[i] = to
  sessions[i + 1] = end
  draft.set(task, sessions)
}
