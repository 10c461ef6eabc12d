// Why a block is where it is and not earlier, as if it were placed now.
import { longestStretch, openAfter } from '../bounds/single-task.ts'
import { isClosed } from '../problem/classify.ts'
import { firstAfter } from '../problem/intervals.ts'
import { minuteOfDay } from '../problem/windows.ts'
import { NO_DUE } from '../problem/weights.ts'
import { type ExplanationContext, inTime, isOverdue } from './explanation-context.ts'
import { formatList, formatMinutes, formatTitle } from './format.ts'
import {
  earlierGaps,
  type Session,
  SHORT_SESSION,
  tasksInFront,
  type TasksInFront,
} from './tasks-in-front.ts'

export type Why = {
  /** A phrase continues “Part 2 of 4, ”, a clause “Part 2 of 4; ”. Both start in lower case. */
  text: string
  isClause: boolean
  /** The words to put in front of a phrase if it is the whole sentence. */
  lead: string
  /** `earliest`: there is no earlier open time. `free`: it could be earlier without moving other blocks. */
  kind: 'earliest' | 'free' | 'tasks' | 'gaps'
  /** The number of tasks in front. */
  count: number
  /** Whether the text mentions earlier free time or less important work, and so must not be left out. */
  mustBeSaid: boolean
}

const phrase = (kind: Why['kind'], text: string, lead = ''): Why => ({
  text,
  isClause: false,
  lead,
  kind,
  count: 0,
  mustBeSaid: false,
})
const clause = (kind: Why['kind'], text: string): Why => ({ ...phrase(kind, text), isClause: true })

/** `block` is the index of the block; `part` is its number among the blocks of its task, from 1.
 *  `isKept`: the block was at the same time in the previous plan. */
export function whyThere(
  context: ExplanationContext,
  block: number,
  part: number,
  isKept: boolean,
): Why {
  const { blocks, compiled, taskBounds, sessions, rest } = context
  const { task: j, start, end } = blocks[block]!
  const own = sessions[j]!
  const before = part > 1 ? own[2 * part - 3]! : null
  const { release, waitsFor } = releaseOf(context, j)
  const ready = before === null ? release : Math.max(release, before + compiled.cooldown[j]!)
  const preferred = nearPreferredTime(context, j, start)
  if (preferred) return preferred
  if (!openAfter(taskBounds.room[j]!, ready, start)) {
    if (before !== null && ready > release) return afterPart(context, j, before, start)
    return earliest(context, j, start, release, waitsFor)
  }
  const session = { task: j, from: ready, until: start, length: end - start, block }
  let need = rest[j]!
  for (let i = 2 * part - 2; i < own.length; i += 2) need += own[i + 1]! - own[i]!
  const { start: free, piece } = earlierGaps(context, session, need)
  if (free >= 0) {
    return { ...clause('free', freeEarlier(context, j, free, isKept)), mustBeSaid: true }
  }
  const front = tasksInFront(context, session)
  const tasks = becauseOfTasks(context, session, front)
  const count = front.pressing + front.lesser
  if (!piece || piece.length < SHORT_SESSION) {
    return { ...(tasks ?? clause('gaps', tooShort(context, session, piece))), count }
  }
  const short = tooShort(context, session, piece)
  const text = tasks?.mustBeSaid ? `${tasks.text}; ${short}` : short
  return {
    ...clause('gaps', text),
    isClause: !tasks?.mustBeSaid || tasks.isClause,
    count,
    mustBeSaid: true,
  }
}

/** The first minute that the task's settings and predecessors allow, and the predecessor that determines
 *  it, or -1. */
export function releaseOf({ compiled, end }: ExplanationContext, j: number) {
  let release = compiled.release[j]!
  let waitsFor = -1
  for (const i of compiled.predecessors[j]!) {
    if (end[i]! >= release && end[i]! > 0) {
      release = end[i]!
      waitsFor = i
    }
  }
  return { release, waitsFor }
}

function afterPart({ compiled }: ExplanationContext, j: number, before: number, start: number) {
  const cooldown = compiled.cooldown[j]!
  if (start > before + cooldown) return phrase('earliest', 'the next time in your hours')
  if (!cooldown) return phrase('earliest', 'right after the part before')
  return phrase('earliest', `after a ${pauseText(cooldown)} pause`)
}

/** `10-minute`, `1-hour`; `90-minute`. */
const pauseText = (minutes: number) => (minutes % 60 ? `${minutes}-minute` : `${minutes / 60}-hour`)

function earliest(
  context: ExplanationContext,
  j: number,
  start: number,
  release: number,
  waitsFor: number,
) {
  const { compiled, format, title, end, when } = context
  const { free } = compiled.classes[compiled.classOf[j]!]!
  if (compiled.sharesDays[j] && openAfter(free, release, start)) {
    return phrase('earliest', 'the first time on a day without another one', 'this is ')
  }
  const inHours = start > release ? ', the next time in your hours' : ''
  const onceDone = (name: string, done: number) =>
    phrase('earliest', `once ${name} is done (${when(done)})${inHours}`, 'starts ')
  if (waitsFor >= 0) return onceDone(title(waitsFor), end[waitsFor]!)
  const { startAfter } = compiled.tasks[j]!
  if (startAfter !== null && release > 0 && minuteUp(context, startAfter) === release) {
    const from = format.time(startAfter)
    if (!inHours) return phrase('earliest', `as early as you allow: from ${from}`)
    return phrase('earliest', `the first time in your hours from ${from}, as early as you allow`)
  }
  if (release > 0) return onceDone(unplannedPredecessor(context, j, release), release)
  const before = whatEndsAt(context, j, start)
  if (before) return phrase('earliest', `the earliest time, ${before}`)
  return phrase('earliest', 'the earliest time in your hours', 'this is ')
}

/** A block is near the preferred time if it starts at most this many minutes before or after it. */
const NEAR = 90

function nearPreferredTime({ compiled, format }: ExplanationContext, j: number, start: number) {
  const wanted = compiled.tasks[j]!.recurring?.preferredTime
  if (!wanted) return null
  const clock = format.clock(compiled.t0 + start * 60_000)
  if (clock === wanted) return phrase('earliest', 'at the time you prefer', 'planned ')
  if (Math.abs(minuteOfDay(clock) - minuteOfDay(wanted)) > NEAR) return null
  return phrase('earliest', `near ${wanted}, the time you prefer`, 'planned ')
}

const minuteUp = ({ compiled }: ExplanationContext, instant: number) =>
  Math.ceil((instant - compiled.t0) / 60_000)

/** The title of an open task that the task waits for and that has a block ending at the minute. */
function unplannedPredecessor(context: ExplanationContext, j: number, end: number) {
  const { problem, tasks } = context.compiled
  const before = new Set(
    problem.dependencies
      .filter((pair) => pair.taskId === tasks[j]!.id)
      .map((pair) => pair.dependsOnTaskId),
  )
  const ending = new Set(
    problem.blocks
      .filter((block) => minuteUp(context, block.endAt) === end)
      .map((block) => block.taskId),
  )
  const [first] = problem.tasks
    .filter((task) => before.has(task.id) && ending.has(task.id) && !isClosed(task))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return first ? formatTitle(first.title) : 'what it waits for'
}

/** What ends when the block starts: an appointment, a fixed block of a task, or the pause after a block
 *  of its own task. Null if the hours only open then. */
function whatEndsAt(context: ExplanationContext, j: number, start: number) {
  const { compiled, format } = context
  const { problem, tasks, classes, classOf, guards, t0 } = compiled
  const { windows } = classes[classOf[j]!]!
  const window = firstAfter(windows, start)
  if (window >= windows.length || windows[window]! >= start) return null
  const fixed = context.fixed.find((block) => minuteUp(context, block.endAt) === start)
  if (!fixed) {
    const guard = firstAfter(guards[j]!, start - 1)
    if (guards[j]![guard + 1] !== start) return null
    return `after a ${pauseText(compiled.cooldown[j]!)} pause`
  }
  if (format.daysBetween(fixed.startAt, t0 + start * 60_000) !== 0) return null
  const clock = format.clock(fixed.startAt)
  if (fixed.taskId === null) return `right after your ${clock} appointment`
  if (fixed.taskId === tasks[j]!.id) return `right after its own ${clock} block`
  const owner = problem.tasks.find(({ id }) => id === fixed.taskId)
  const how = fixed.startAt <= problem.now ? 'has begun' : `is fixed at ${clock}`
  return owner ? `right after ${formatTitle(owner.title)}, which ${how}` : null
}

function freeEarlier(context: ExplanationContext, j: number, start: number, isKept: boolean) {
  const free = `${context.when(start)} is free too`
  if (isKept) return `${free}; it stays here to keep your plan stable`
  if (context.compiled.due[j] === NO_DUE) return `${free}; it has no due date`
  return inTime(context, j) ? `${free}; it is in time here as well` : free
}

/** The sentence about the tasks in front, or null if they are not the reason. */
function becauseOfTasks(context: ExplanationContext, session: Session, front: TasksInFront) {
  const { title, taskBounds } = context
  const { task: j, from, until, length } = session
  const { causes, lesserCauses, pressing } = front
  if (!causes.length && !lesserCauses.length) {
    if (longestStretch(taskBounds.room[j]!, from, until) < length) return null
    if (pressing < 2 || front.lesser > 0) return shorterTasks(front)
  }
  const lesser = lesserList(context, lesserCauses)
  const mustBeSaid = lesserCauses.length > 0
  if (pressing >= 2) {
    const names = causes.length ? `: ${formatList(causes.map(title), pressing)}` : ''
    const also = lesser && `; so ${lesserCauses.length > 1 ? 'do' : 'does'} ${lesser}`
    return { ...clause('tasks', `${whyFirst(context, j, front)}${names}${also}`), mustBeSaid }
  }
  const [cause] = causes
  if (cause === undefined) return { ...afterLesser(context, j, lesserCauses), mustBeSaid }
  const also = lesser && `, and ${lesser}`
  const after = `after ${title(cause)}${relation(context, cause, j)}${also}`
  return { ...phrase('tasks', after), mustBeSaid }
}

/** The explanation if no single task in front makes room for the session, but all together do. */
function shorterTasks({ pressing, lesser }: TasksInFront) {
  const count = pressing + lesser
  if (count === 1) return clause('tasks', 'a shorter task comes first')
  const less =
    lesser === count
      ? ', all of which matter less'
      : lesser > 0
        ? `, ${lesser} of which ${lesser === 1 ? 'matters' : 'matter'} less`
        : ''
  return clause('tasks', `${count} shorter tasks come first${less}`)
}

/** `“Tidy wiki”, which matters less`; at most two are named. */
function lesserList({ title }: ExplanationContext, tasks: number[]) {
  if (!tasks.length) return ''
  if (tasks.length === 1) return `${title(tasks[0]!)}, which matters less`
  const [first, second] = tasks.map(title)
  const names = tasks.length > 2 ? `${first}, ${second} and others` : `${first} and ${second}`
  return `${names}, which matter less`
}

function afterLesser(context: ExplanationContext, j: number, tasks: number[]) {
  const less = `after ${lesserList(context, tasks)}`
  const fit = tasks.length > 1 ? 'fit' : 'fits'
  if (context.isAllInTime)
    return phrase('tasks', `${less} but ${fit} here without making anything late`)
  if (context.compiled.due[j] !== NO_DUE && inTime(context, j)) {
    return phrase('tasks', `${less} but ${fit} here without making this late`)
  }
  return phrase('tasks', less)
}

/** `4 tasks come first because they are due sooner or matter more` */
function whyFirst({ compiled }: ExplanationContext, j: number, front: TasksInFront) {
  const { pressing, sooner, equal } = front
  const due = compiled.due[j] === NO_DUE ? 'have due dates' : 'are due sooner'
  if (equal === pressing) return `${pressing} tasks that matter as much come first`
  const matter = equal ? 'matter as much or more' : 'matter more'
  const because = sooner === pressing ? due : sooner ? `${due} or ${matter}` : matter
  return `${pressing} tasks come first because they ${because}`
}

/** `, which is due sooner (Thu 12:00)` */
export function relation(context: ExplanationContext, i: number, j: number) {
  const { due, weight } = context.compiled
  const isMore = weight[i]! > weight[j]!
  if (due[i]! >= due[j]!) return isMore ? ', which matters more' : ', which matters as much'
  const sooner = isOverdue(context, i)
    ? isOverdue(context, j)
      ? 'has been overdue for longer'
      : 'is overdue'
    : due[j] === NO_DUE
      ? `is due ${context.dueText(i)}`
      : `is due sooner (${context.dueText(i)})`
  return `, which ${isMore ? 'matters more and ' : ''}${sooner}`
}

function tooShort(
  { compiled, when }: ExplanationContext,
  { task, length }: Session,
  piece: { start: number; length: number } | null,
) {
  const lasts = formatMinutes(length)
  if (!compiled.split[task]) return `earlier gaps are too short for ${lasts} in one piece`
  if (!piece) return `earlier gaps are too short for a session of ${lasts}`
  const how =
    piece.length < SHORT_SESSION
      ? `in pieces of under ${SHORT_SESSION} min`
      : `with a session of ${formatMinutes(piece.length)}`
  return `it could begin ${when(piece.start)}, but only ${how}`
}
