// Decides what to do for a series now: which occurrences are made, which lapse, and when to look again. It is a pure
// function of what is stored, so it may run late, twice or not at all, and the next run decides the same.
import { addDays, existsIn, instantOf, localDay } from './days.ts'
import { type Key, keyOf, type Series, type Slot } from './series.ts'
import { dayAfterCompletion, nextSlot, slotsBetween } from './slots.ts'

/** An occurrence in the table, which is never made again. */
export type Stored = Key & {
  state: 'made' | 'skipped' | 'lapsed'
  /** Null if it was never made, or its task is deleted. */
  task: StoredTask | null
}

export type StoredTask = {
  status: 'open' | 'in progress' | 'completed' | 'cancelled' | 'archived'
  dueAt: Date | null
  /** When it was completed, archived or else last changed. */
  endedAt: Date
}

export type Progress = {
  /** In the order in which they were made. */
  stored: Stored[]
  /** Occurrences due up to this day are settled: those that are not stored are no longer made. */
  settledTo: string
  /** The number of occurrences so far, including those no longer stored. */
  count: number
  isPaused: boolean
}

export type Planned = Key & { startAfter: Date; dueAt: Date }

export type Decision = {
  make: Planned[]
  /** Open occurrences that were missed: their tasks are cancelled. */
  lapse: Key[]
  /** Occurrences that were due before they were made. */
  lapseUnmade: Key[]
  settledTo: string
  /** When to decide again if nothing changes before. */
  nextAt: Date
}

/** The plan covers 14 days; with one more, its last day has its occurrences before it is planned. */
export const daysAhead = 15
/** The most open occurrences of one series. */
export const mostAhead = 100
/** With `pile`, days that were missed while nothing ran are made up for at most this far back. */
const daysBack = 31

export function decide(series: Series, progress: Progress, now: Date, zone: string): Decision {
  const today = localDay(now, zone)
  const settledTo = later(progress.settledTo, addDays(today, -1))
  const nextAt = instantOf(addDays(today, 1), '00:00', zone, true)
  const nothing = { make: [], lapse: [], lapseUnmade: [], settledTo, nextAt }
  if (progress.isPaused) return { ...nothing, settledTo: progress.settledTo }
  const overdue = progress.stored
    .filter((each) => isOpen(each) && each.task!.dueAt !== null && each.task!.dueAt <= now)
    .toSorted((a, b) => Number(a.task!.dueAt) - Number(b.task!.dueAt))
  const lapse = findLapsing(series, overdue).map(({ day, nth }) => ({ day, nth }))
  const lapsed = new Set(lapse.map(keyOf))
  const open = progress.stored.filter((each) => isOpen(each) && !lapsed.has(keyOf(each)))
  const made =
    series.kind === 'completion'
      ? nextAfterCompletion(series, progress, open, now, zone)
      : ahead(series, progress, open, now, zone)
  const dueTimes = [...open.map(({ task }) => task!.dueAt), ...made.make.map(({ dueAt }) => dueAt)]
  const soonest = dueTimes.flatMap((at) => (at && at > now ? [at.getTime()] : []))
  return { ...nothing, ...made, lapse, nextAt: new Date(Math.min(nextAt.getTime(), ...soonest)) }
}

/** False for an occurrence that lapsed and was reopened by hand, so that it does not lapse again. */
const isOpen = ({ state, task }: Stored) =>
  state === 'made' && (task?.status === 'open' || task?.status === 'in progress')

/** The overdue occurrences that lapse. Work that has been started is not cancelled. */
function findLapsing({ missed }: Series, overdue: Stored[]) {
  if (missed === 'pile') return []
  const kept = missed === 'wait' ? 1 : 0
  return overdue.slice(kept).filter(({ task }) => task!.status !== 'in progress')
}

function ahead(series: Series, progress: Progress, open: Stored[], now: Date, zone: string) {
  const today = localDay(now, zone)
  const known = new Set(progress.stored.map(keyOf))
  const isWaiting =
    series.missed === 'wait' && open.some(({ task }) => task!.dueAt !== null && task!.dueAt <= now)
  const decided: { make: Planned[]; lapseUnmade: Key[] } = { make: [], lapseUnmade: [] }
  let left = (series.most ?? Infinity) - progress.count
  const isFull = () => open.length + decided.make.length >= mostAhead
  const settle = (slot: Slot) => {
    if (left <= 0) return
    const planned = instantsOf(series, slot, zone)
    const { day, nth } = slot
    const isMissed = planned.dueAt <= now
    const isMadeUpFor =
      series.missed === 'pile' && !isFull() && slot.dueOn >= addDays(today, -daysBack)
    if (isMissed && !isMadeUpFor) decided.lapseUnmade.push({ day, nth })
    else if (isWaiting || isFull()) return
    else decided.make.push(planned)
    left -= 1
  }
  const isWanted = (slot: Slot) => !known.has(keyOf(slot)) && existsIn(zone, slot.dueOn)
  const horizon = addDays(today, daysAhead)
  for (const slot of slotsBetween(series, progress.settledTo, horizon)) {
    if (isWanted(slot)) settle(slot)
  }
  const isAhead = open.some(({ task }) => task!.dueAt === null || task!.dueAt > now)
  const hasRoom = left > 0 && !isWaiting && !isFull()
  if (hasRoom && !isAhead && !decided.make.some(({ dueAt }) => dueAt > now)) {
    // Makes at least the next one, however far away it is. Finding it may be slow.
    const next = nextSlot(series, later(progress.settledTo, horizon), known)
    if (next) settle(next)
  }
  return decided
}

/** Makes one occurrence at a time, counted from the day on which the last one ended. */
function nextAfterCompletion(
  series: Series,
  { stored, settledTo, count }: Progress,
  open: Stored[],
  now: Date,
  zone: string,
) {
  const make: Planned[] = []
  if (open.length > 0 || count >= (series.most ?? Infinity)) return { make }
  const today = localDay(now, zone)
  const last = stored.at(-1)
  const wanted = last
    ? dayAfterCompletion(series, endOf(last, today, zone))
    : later(series.startsOn, addDays(settledTo, 1))
  if (wanted === undefined) return { make }
  let day = later(later(wanted, series.startsOn), today)
  while (!existsIn(zone, day) || dueAtOf(series, day, zone) <= now) day = addDays(day, 1)
  if (series.endsOn !== null && day > series.endsOn) return { make }
  const known = new Set(stored.map(keyOf))
  let nth = 1
  while (known.has(keyOf({ day, nth }))) nth += 1
  const slot = { day, nth, opensOn: addDays(day, -series.leadDays), dueOn: day }
  return { make: [instantsOf(series, slot, zone)] }
}

/** The local day on which an occurrence ended. One that lapsed ended when it was due, whenever that was noticed. */
function endOf({ day, state, task }: Stored, today: string, zone: string) {
  if (!task) return state === 'skipped' ? today : day
  if (state !== 'lapsed' || task.status === 'completed') {
    const isEnded = task.status !== 'open' && task.status !== 'in progress'
    if (isEnded) return localDay(task.endedAt, zone)
  }
  return task.dueAt ? localDay(task.dueAt, zone) : day
}

const endOfDay = '23:59'

const dueAtOf = ({ dueTime }: Series, day: string, zone: string) =>
  instantOf(day, dueTime ?? endOfDay, zone, false)

/** When the task of an occurrence may be started, and when it is due. */
export function instantsOf(series: Series, slot: Slot, zone: string): Planned {
  const { day, nth, opensOn, dueOn } = slot
  const startAfter = instantOf(opensOn, series.startTime, zone, true)
  return { day, nth, startAfter, dueAt: dueAtOf(series, dueOn, zone) }
}

/** The `settledTo` of a new or resumed series: what was due before now does not count as missed. */
export function settledBy(series: Series, now: Date, zone: string) {
  const today = localDay(now, zone)
  return dueAtOf(series, today, zone) <= now ? today : addDays(today, -1)
}

const later = (a: string, b: string) => (a > b ? a : b)
