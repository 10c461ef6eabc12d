// The status of a task: whether it meets its due date, and which task waits for it.
import { NO_DUE } from '../problem/weights.ts'
import { type ExplanationContext, inTime, isOverdue } from './explanation-context.ts'
import { formatMinutes, formatNumber, isOneUnit } from './format.ts'

/** A due date at most this many minutes ahead is worth a warning. */
const SOON = 3 * 1440

/** The second sentence of an explanation; empty if there is nothing to say. `isTight`: none of the task's
 *  blocks has another place before the due date. */
export function standing(context: ExplanationContext, j: number, isTight: boolean) {
  const { compiled, rest, end, when, title } = context
  const waiting = compiled.successors[j]!.find((k) => compiled.need[k]! > 0)
  const then = waiting === undefined ? '' : `; ${title(waiting)} waits for it`
  const isDue = compiled.due[j] !== NO_DUE
  if (isDue && isOverdue(context, j)) return overdue(context, j)
  if (rest[j]! > 0)
    return `${leftOver(context, j)}${isDue ? `; it is due ${context.dueText(j)}` : ''}.`
  if (!isDue) return then ? `Done ${when(end[j]!)}${then}.` : ''
  if (!inTime(context, j)) return `${late(context, j)}${then}.`
  return `${early(context, j, isTight && compiled.due[j]! <= SOON)}${then}.`
}

/** `2 h 55 min of 4 h do not fit into the next 14 days`; of a habit `do not fit before Wed 14:00` */
export function leftOver({ compiled, rest, when }: ExplanationContext, j: number) {
  const estimate = compiled.tasks[j]!.estimateMinutes!
  const all = rest[j] === estimate
  const what = all
    ? `Its ${formatMinutes(estimate)}`
    : `${formatMinutes(rest[j]!)} of ${formatMinutes(estimate)}`
  const until = compiled.until[j]!
  const where = until < compiled.horizon ? `before ${when(until)}` : 'into the next 14 days'
  return `${what} ${isOneUnit(rest[j]!) ? 'does' : 'do'} not fit ${where}`
}

/** `Late: done Tue 09:30, due Mon 12:00` */
export const late = ({ end, when, dueText }: ExplanationContext, j: number) =>
  `Late: done ${when(end[j]!)}, due ${dueText(j)}`

/** `Done Tue 14:55, two days before it is due` */
function early(context: ExplanationContext, j: number, isTight: boolean) {
  const { compiled, format, end, when, dueText } = context
  const { dueAt } = compiled.tasks[j]!
  const done = `Done ${when(end[j]!)}`
  const days = format.daysBetween(compiled.t0 + end[j]! * 60_000, dueAt!)
  const due = days === 0 ? format.clock(dueAt!) : dueText(j)
  if (isTight) return `${done}, due ${due}: there is no other time left before that`
  if (days === 0) return `${done}, due ${due}`
  if (days === 1) return `${done}, the day before it is due`
  return `${done}, ${formatNumber(days)} days before it is due`
}

/** `Overdue since Mon 12:00; planned for Tue 09:00.` */
export function overdue(context: ExplanationContext, j: number) {
  const { compiled, rest, sessions, fixed, format, when, dueText } = context
  const { now } = compiled.problem
  const since = `Overdue since ${dueText(j)}`
  if (rest[j]! > 0) return `${since}; ${leftOver(context, j).replace(/^Its/, 'its')}.`
  const own = fixed.filter(({ taskId }) => taskId === compiled.tasks[j]!.id)
  const next = own.find(({ endAt }) => endAt > now)
  const first = sessions[j]![0]
  if (first !== undefined && !(next && next.startAt < compiled.t0 + first * 60_000)) {
    return `${since}; planned for ${when(first)}.`
  }
  if (next && next.startAt > now) return `${since}; planned for ${format.time(next.startAt)}.`
  if (next) return `${since}; under way until ${format.time(next.endAt)}.`
  const last = own.at(-1)
  if (!last) return `${since}; there is nothing left to plan.`
  const until = format.daysBetween(last.startAt, last.endAt)
    ? format.time(last.endAt)
    : format.clock(last.endAt)
  const over = `Its time (${format.time(last.startAt)}–${until}) is over and it is not ticked off.`
  return `${over} Is it done, or does it need more time?`
}
