// The occurrences of a series that are still to come, for previews and for a single key.
import { addDays, existsIn, localDay } from './days.ts'
import { instantsOf, type Planned, type Progress } from './decide.ts'
import { type Key, keyOf, type Series, type Slot } from './series.ts'
import { dayAfterCompletion, nextSlot, slotsBetween } from './slots.ts'

type Wanted = { from: string; to?: string; limit: number }

/**
 * The occurrences from `from` to `to` that are not stored yet. Those of a series after completion are a guess: each
 * is assumed to be done on its day.
 */
export function coming(
  series: Series,
  progress: Pick<Progress, 'stored' | 'settledTo' | 'count'>,
  { from, to, limit }: Wanted,
  now: Date,
  zone: string,
): Planned[] {
  const known = new Set(progress.stored.map(keyOf))
  const found: Planned[] = []
  const today = localDay(now, zone)
  let left = (series.most ?? Infinity) - progress.count
  for (const slot of walk(series, progress, known, to, now, zone)) {
    if (left <= 0 || found.length >= limit || (to !== undefined && slot.dueOn > to)) break
    if (!existsIn(zone, slot.dueOn)) continue
    // Instants are slow to compute, so they are not computed for days before `from`.
    if (slot.dueOn > today && slot.dueOn < from) {
      left -= 1
      continue
    }
    const planned = instantsOf(series, slot, zone)
    if (planned.dueAt <= now) continue
    left -= 1
    if (slot.dueOn >= from) found.push(planned)
  }
  return found
}

/**
 * The occurrences due from `from` to `to` of a series that is not after completion. Unlike `coming`, it skips the
 * days before `from` without computing their times.
 */
export function comingBetween(
  series: Series,
  { stored, settledTo, count }: Pick<Progress, 'stored' | 'settledTo' | 'count'>,
  { from, to, limit }: Required<Wanted>,
  zone: string,
): Planned[] {
  const known = new Set(stored.map(keyOf))
  const isNew = (slot: Slot) => !known.has(keyOf(slot)) && slot.dueOn <= to
  const before = addDays(from, -1)
  const after = before > settledTo ? before : settledTo
  const first = series.most === null ? after : settledTo
  const slots = slotsBetween(series, first, to).filter(isNew)
  const left = series.most === null ? slots : slots.slice(0, Math.max(0, series.most - count))
  // Lazy, because `existsIn` is slow and need not run beyond the limit.
  return left
    .values()
    .filter(({ dueOn }) => dueOn > after && existsIn(zone, dueOn))
    .take(limit)
    .map((slot) => instantsOf(series, slot, zone))
    .toArray()
}

/** Yields all slots due after `settledTo` that are not known, in order. */
function* walk(
  series: Series,
  { stored, settledTo }: Pick<Progress, 'stored' | 'settledTo'>,
  known: Set<string>,
  to: string | undefined,
  now: Date,
  zone: string,
): Generator<Slot> {
  if (series.kind === 'completion') {
    const last = stored.at(-1)
    let day: string | undefined = last
      ? dayAfterCompletion(series, last.day)
      : maxDay(series.startsOn, addDays(settledTo, 1))
    for (; day !== undefined; day = dayAfterCompletion(series, day)) {
      if (series.endsOn !== null && day > series.endsOn) return
      const slot = { day, nth: 1, opensOn: addDays(day, -series.leadDays), dueOn: day }
      if (day >= localDay(now, zone)) yield slot
    }
    return
  }
  // Searches in steps of 31 days; after an empty step it jumps to the next slot.
  let after = settledTo
  const step = 31
  for (;;) {
    if (to !== undefined && after > to) return
    const by = addDays(after, step)
    const slots = slotsBetween(series, after, addDays(by, series.kind === 'times' ? step : 0))
    const inStep = slots.filter(({ dueOn }) => dueOn <= by)
    yield* inStep.filter((slot) => !known.has(keyOf(slot)))
    after = by
    if (inStep.length > 0) continue
    const next = nextSlot(series, after, new Set())
    if (!next) return
    after = addDays(next.dueOn, -1)
  }
}

/** The slot of a key, if the series has it. */
export function slotOf(series: Series, { day, nth }: Key): Slot | undefined {
  if (series.kind === 'completion') return undefined
  const slots = slotsBetween(series, addDays(day, -1), addDays(day, 366))
  const found = slots.find((slot) => slot.day === day && slot.nth === nth)
  return found
}

const maxDay = (a: string, b: string) => (a > b ? a : b)
