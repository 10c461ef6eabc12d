// What keeps a session from being earlier: the tasks in front of it and the length of the gaps.
import { firstAfter } from '../problem/intervals.ts'
import { legalLength } from '../problem/sessions.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { firstBlock } from './no-alternative.ts'

/** A session whose earlier places are searched. */
export type Session = {
  task: number
  /** The first minute that its settings and its predecessors allow. */
  from: number
  /** The start of the session or, for work that is not placed, its limit. */
  until: number
  length: number
  /** Number of its block; -1 for work that is not placed. */
  block: number
}

export type TasksInFront = {
  /** The number of tasks that are due sooner or matter at least as much. Of these, `sooner` are due
   *  sooner, and `equal` are not due sooner and matter as much. */
  pressing: number
  sooner: number
  equal: number
  /** The tasks among these without which the session could be earlier: at most three, the nearest first. */
  causes: number[]
  /** The number of tasks that are not due sooner and matter less; and at most three of them without which
   *  the session could be earlier. */
  lesser: number
  lesserCauses: number[]
}

const MOST_NAMES = 3

/** The tasks that take open time of the session's task between `from` and `until`. */
export function tasksInFront(context: ExplanationContext, session: Session): TasksInFront {
  const { blocks, compiled, marks, takesRoom } = context
  const { due, weight } = compiled
  const { task: j, from, until } = session
  const found: TasksInFront = {
    pressing: 0,
    sooner: 0,
    equal: 0,
    causes: [],
    lesser: 0,
    lesserCauses: [],
  }
  // Two marks per search: the task was met, and the task was found to be a cause.
  const met = marks.last + 1
  const cause = marks.last + 2
  marks.last = cause
  let at = session.block - 1
  if (session.block < 0) {
    at = firstBlock(blocks, until)
    if (at === blocks.length || blocks[at]!.start >= until) at--
  }
  for (; at >= 0 && blocks[at]!.end > from; at--) {
    const { task } = blocks[at]!
    if (task === j || marks.of[task] === cause || !takesRoom(j, at, from)) continue
    const isSooner = due[task]! < due[j]!
    const isLesser = !isSooner && weight[task]! < weight[j]!
    if (marks.of[task] !== met) {
      marks.of[task] = met
      if (isLesser) found.lesser++
      else found.pressing++
      if (isSooner) found.sooner++
      else if (weight[task] === weight[j]) found.equal++
    }
    const causes = isLesser ? found.lesserCauses : found.causes
    if (causes.length < MOST_NAMES && couldBeEarlierWithout(context, session, at)) {
      marks.of[task] = cause
      causes.push(task)
    }
  }
  return found
}

/** Whether the session could start earlier in the time of the block, the adjacent gaps and adjacent
 *  blocks of the same task. All other blocks stay. */
function couldBeEarlierWithout(context: ExplanationContext, session: Session, at: number) {
  const { blocks, taskBounds } = context
  const room = taskBounds.room[session.task]!
  const { task, start, end } = blocks[at]!
  const isGone = (i: number) => blocks[i]!.task === task || i === session.block
  for (let p = firstAfter(room, start); p < room.length && room[p]! < end; p += 2) {
    let low = Math.max(room[p]!, session.from)
    let high = room[p + 1]!
    for (let i = at - 1; i >= 0 && blocks[i]!.end > low; i--) {
      if (!isGone(i)) low = blocks[i]!.end
    }
    for (let i = at + 1; i < blocks.length && blocks[i]!.start < high; i++) {
      if (!isGone(i)) high = blocks[i]!.start
    }
    if (session.block < 0) high = Math.min(high, session.until)
    if (low < session.until && high - low >= session.length) return true
  }
  return false
}

export type EarlierGaps = {
  /** The first start at which the session fits without moving others; -1 without any. */
  start: number
  /** The first gap in which a shorter session may begin, and how long it would be. */
  piece: { start: number; length: number } | null
}

/** Below this many minutes a session is used only for work that would be left over. */
export const SHORT_SESSION = 15

/** Searches the gaps before a placed session. `need` is the work of the task from this session on. */
export function earlierGaps(
  context: ExplanationContext,
  session: Session,
  need: number,
): EarlierGaps {
  const { split, min, max } = context.compiled
  const { task: j, from, until, length } = session
  const gaps = context.gaps(j)
  let piece: EarlierGaps['piece'] = null
  for (let i = firstAfter(gaps, from); i < gaps.length && gaps[i]! < until; i += 2) {
    const start = Math.max(gaps[i]!, from)
    const room = Math.min(gaps[i + 1]!, until) - start
    // A gap that ends where the session starts is room to begin earlier, however short it is.
    if (room >= length || gaps[i + 1] === until) return { start, piece: null }
    if (!split[j] || (piece && piece.length >= SHORT_SESSION)) continue
    const fits = legalLength(need, Math.min(min[j]!, need), max[j]!, room)
    if (fits > 0 && (!piece || fits >= SHORT_SESSION)) piece = { start, length: fits }
  }
  return { start: -1, piece }
}
