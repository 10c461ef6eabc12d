// The occurrences of a series as days. `decide.ts` adds the instants and what was done.
import { dateOf, dayNumber, type Rule, weekdayOf, weekStartOf } from '@daywright/ical'
import { dayOf, numberOf } from './days.ts'
import { firstRuleDay, longestPeriod, readRule, ruleDays } from './read-rule.ts'
import { keyOf, type Series, type Slot } from './series.ts'

/** No occurrence is later: days have four digits, and clients accept this century and the next. */
const lastDay = '2199-12-31'

const lastDayOf = ({ endsOn }: Series) =>
  numberOf(endsOn !== null && endsOn < lastDay ? endsOn : lastDay)

/**
 * The occurrences that are due after `dueAfter` and open by `opensBy`, in the order of their due days. Not for a
 * series after completion, which has one at a time.
 */
export function slotsBetween(series: Series, dueAfter: string, opensBy: string): Slot[] {
  const found =
    series.kind === 'times'
      ? slotsOfPeriods(series, dueAfter, opensBy)
      : slotsOfDays(series, dueAfter, opensBy)
  return found.filter(
    ({ opensOn, dueOn }) => dueOn > dueAfter && dueOn <= lastDay && opensOn <= opensBy,
  )
}

/** The first occurrence due after `dueAfter` whose key is not in `known`. */
export function nextSlot(series: Series, dueAfter: string, known: Set<string>): Slot | undefined {
  let after = dueAfter
  // Each round skips one known occurrence, or ends.
  for (let round = 0; round <= known.size; round += 1) {
    const slot = firstSlot(series, after, known)
    if (!slot || !known.has(keyOf(slot))) return slot
    after = slot.dueOn
  }
  return undefined
}

function firstSlot(series: Series, dueAfter: string, known: Set<string>): Slot | undefined {
  if (series.kind !== 'times') {
    const rule = readRule(series.kind, series.rule)
    const from = numberOf(dueAfter) + 1
    const day = firstRuleDay(rule, numberOf(series.startsOn), from, lastDayOf(series))
    return day === undefined ? undefined : slotsOfDay(series, day)[0]
  }
  const from = dueAfter > series.startsOn ? dueAfter : series.startsOn
  const length = 2 * longestPeriod(readRule('times', series.rule))
  const slots = slotsBetween(series, dueAfter, dayOf(numberOf(from) + length))
  return slots.find((slot) => !known.has(keyOf(slot)))
}

function slotsOfDays(series: Series, dueAfter: string, opensBy: string) {
  const to = numberOf(opensBy) + series.leadDays
  const rule = readRule(series.kind, series.rule)
  return ruleDays(rule, numberOf(series.startsOn), numberOf(dueAfter) + 1, to).flatMap((day) =>
    slotsOfDay(series, day),
  )
}

function slotsOfDay({ endsOn, leadDays }: Series, number: number): Slot[] {
  const day = dayOf(number)
  if (day > lastDay || (endsOn !== null && day > endsOn)) return []
  return [{ day, nth: 1, opensOn: dayOf(number - leadDays), dueOn: day }]
}

/**
 * A period is cut into as many slices as it has occurrences, which spreads them. Neighbouring slices share a day,
 * so that each occurrence has a choice of days.
 */
function slotsOfPeriods(series: Series, dueAfter: string, opensBy: string) {
  const rule = readRule('times', series.rule)
  const start = numberOf(series.startsOn)
  const slots: Slot[] = []
  const skipped = Math.floor((numberOf(dueAfter) - start) / longestPeriod(rule)) - 1
  for (let i = Math.max(0, skipped); ; i += 1) {
    const [first, end] = periodOf(rule, start, i)
    if (first > numberOf(opensBy)) return slots
    slots.push(...slicesOf(series, rule, first, end))
  }
}

function slicesOf(series: Series, rule: Rule, first: number, end: number): Slot[] {
  const weekdays = rule.byDay && new Set(rule.byDay.map(({ weekday }) => weekday))
  const days = Array.from({ length: end - first }, (_, i) => first + i).filter(
    (day) => !weekdays || weekdays.has(weekdayOf(day)),
  )
  const times = series.times ?? 1
  if (days.length === 0) return []
  return Array.from({ length: times }, (_, i) => {
    const opens = days[Math.floor((i * days.length) / times)]!
    const due = days[Math.min(days.length - 1, Math.floor(((i + 1) * days.length) / times))]!
    return { day: dayOf(first), nth: i + 1, opensOn: dayOf(opens), dueOn: dayOf(due) }
  })
    .filter(
      ({ dueOn, opensOn }) => dueOn >= series.startsOn && opensOn <= (series.endsOn ?? opensOn),
    )
    .map((slot) => withinSeries(series, slot))
}

/** Clips an occurrence in the first or last period to the start and end of the series. */
function withinSeries({ startsOn, endsOn }: Series, slot: Slot): Slot {
  const opensOn = slot.opensOn < startsOn ? startsOn : slot.opensOn
  const dueOn = endsOn !== null && slot.dueOn > endsOn ? endsOn : slot.dueOn
  return { ...slot, opensOn, dueOn }
}

/** Whether each period has at least as many days as occurrences, so that no two have to share a day. */
export function isOnceADay({ kind, rule: text, times }: Series) {
  if (kind !== 'times') return true
  const { frequency, interval, byDay } = readRule(kind, text)
  const weekdays = byDay ? new Set(byDay.map(({ weekday }) => weekday)).size : 7
  const days = { DAILY: 1, WEEKLY: weekdays, MONTHLY: 4 * weekdays, YEARLY: 52 * weekdays }
  return (times ?? 1) <= interval * days[frequency as keyof typeof days]
}

/** How many days the key of an occurrence may lie before its due day. */
export const lookbackDays = ({ kind, rule }: Series) =>
  kind === 'times' ? longestPeriod(readRule(kind, rule)) : 0

/** The first day of the period with this index, and the day after its last. The start is in period 0. */
function periodOf({ frequency, interval, firstWeekday }: Rule, start: number, index: number) {
  const { year, month } = dateOf(start)
  const at = (i: number) => {
    const offset = i * interval
    if (frequency === 'YEARLY') return dayNumber(year + offset, 1, 1)
    if (frequency === 'MONTHLY') return dayNumber(year, month + offset, 1)
    return frequency === 'WEEKLY' ? weekStartOf(start, firstWeekday) + offset * 7 : start + offset
  }
  return [at(index), at(index + 1)] as const
}

/**
 * The day of the next occurrence after the last one ended on `base`. Days and weeks are counted from that day;
 * months and years too, unless the rule names days: then from the month or year of that day.
 */
export function dayAfterCompletion(series: Series, base: string): string | undefined {
  const day = dayAfter(series, base)
  return day !== undefined && day <= lastDay ? day : undefined
}

function dayAfter(series: Series, base: string): string | undefined {
  const rule = readRule('completion', series.rule)
  const { frequency, interval } = rule
  const hasDays =
    rule.byDay ?? rule.byMonthDay ?? rule.byYearDay ?? rule.byWeekNumber ?? rule.byMonth
  const number = numberOf(base)
  const { year, month } = dateOf(number)
  const isLong = frequency === 'MONTHLY' || frequency === 'YEARLY'
  if (!isLong) {
    const from = number + interval * (frequency === 'WEEKLY' ? 7 : 1)
    if (!hasDays) return dayOf(from)
    const day = firstRuleDay({ ...rule, interval: 1 }, from, from, lastDayOf(series))
    return day === undefined ? undefined : dayOf(day)
  }
  const months = interval * (frequency === 'YEARLY' ? 12 : 1)
  if (!hasDays) return Temporal.PlainDate.from(base).add({ months }).toString()
  const from =
    frequency === 'YEARLY' ? dayNumber(year + interval, 1, 1) : dayNumber(year, month + interval, 1)
  const day = firstRuleDay({ ...rule, interval: 1 }, from, from, lastDayOf(series))
  return day === undefined ? undefined : dayOf(day)
}
