// Turns days and times of a line into instants: when the task is due, from when it can start, or its fixed time.
import type { Candidate, Lead } from './candidates.ts'
import { instantAt } from './zoned-time.ts'

const endOfWork = 17 * 60
const endOfDay = 23 * 60 + 59

type Found<Kind extends Candidate['kind']> = Extract<Candidate, { kind: Kind }>

/** A day, a time, or both of them where they belong together. */
export type DateGroup = {
  parts: Candidate[]
  lead?: Lead
  day?: Found<'day'>
  time?: Found<'time'>
  moment?: Date
}

/** Joins a day and a time that stand beside each other, with only spaces and lengths between them. */
export function groupDates(line: string, candidates: Candidate[]): DateGroup[] {
  const groups: DateGroup[] = []
  for (const candidate of candidates) {
    if (candidate.kind === 'duration') continue
    const last = groups.at(-1)
    const isNear = last && /^[\s,]*$/.test(line.slice(last.parts.at(-1)!.end, candidate.start))
    const isSame = !candidate.lead || candidate.lead.kind === 'on'
    if (last && isNear && isSame && candidate.lead?.word !== 'to' && fits(last, candidate)) {
      join(last, candidate)
      continue
    }
    const { lead } = candidate
    groups.push({ parts: [], ...(lead && { lead }) })
    join(groups.at(-1)!, candidate)
  }
  return groups
}

export const isStart = ({ lead }: DateGroup) => lead?.kind === 'start'

/** The due date, completed by a time that stands apart: "friday call Bob at 5pm". */
export function dueGroup(groups: DateGroup[]) {
  const [first, ...others] = groups.filter((group) => !isStart(group))
  const other = first && others.find((each) => each.parts.every((part) => fits(first, part)))
  if (first && other) for (const part of other.parts) join(first, part)
  return first
}

function join(group: DateGroup, candidate: Candidate) {
  group.parts.push(candidate)
  if (candidate.kind === 'day') group.day = candidate
  if (candidate.kind === 'time') group.time = candidate
  if (candidate.kind === 'moment') group.moment = candidate.value
}

const fits = ({ day, time, moment }: DateGroup, { kind }: Candidate) =>
  !moment && ((kind === 'day' && !day) || (kind === 'time' && !time))

type Clock = { now: Date; zone: string; today: Temporal.PlainDate }

export function dueOf({ day, time, moment, lead }: DateGroup, clock: Clock) {
  if (moment) return moment
  if (time) return onDay(day, time, time.due, clock)
  const last =
    lead?.word === 'before' && day!.first !== day!.last
      ? day!.first.subtract({ days: 1 })
      : day!.last
  const due = instantAt(last, endOfWork, clock.zone)
  if (due > clock.now) return due
  if (day!.otherwise) return instantAt(day!.otherwise, endOfWork, clock.zone)
  return instantAt(last, endOfDay, clock.zone)
}

export function startOf({ day, time, moment, lead }: DateGroup, clock: Clock) {
  if (moment) return moment
  if (time) return onDay(day && { ...day, last: day.first }, time, time.from, clock)
  const isAfter = /^(after|nach|après|después)/.test(lead?.word ?? '')
  return instantAt(isAfter ? day!.last.add({ days: 1 }) : day!.first, 0, clock.zone)
}

/** The event of a group that has a time range, or a fixed time and a known duration. */
export function eventOf({ day, time, lead }: DateGroup, minutes: number | undefined, clock: Clock) {
  if (!time || lead?.kind === 'due') return undefined
  if (!time.isRange && !(time.isFixed && minutes)) return undefined
  const length = time.isRange ? time.due - time.from : minutes!
  const start = onDay(day, time, time.from, clock)
  return { start, end: new Date(start.getTime() + length * 60_000) }
}

/** The instant of a time on the given day or today; if that is over, on the next matching day if there is one. */
function onDay(
  day: { last: Temporal.PlainDate; otherwise?: Temporal.PlainDate } | undefined,
  { zone: own, isToday }: Found<'time'>,
  minutes: number,
  { now, zone, today }: Clock,
) {
  const instant = instantAt(day?.last ?? today, minutes, own ?? zone)
  if (instant > now) return instant
  if (isToday) return instantAt(today, endOfDay, zone)
  const otherwise = day ? day.otherwise : today.add({ days: 1 })
  return otherwise ? instantAt(otherwise, minutes, own ?? zone) : instant
}
