// The occurrences of a series that are still to come, for previews and for a single key.
import { addDays, existsIn, localDay } from './days.ts'
import { instantsOf, type Planned, type Progress } from './decide.ts'
import { type Key, keyOf, type Series, type Slot } from './series.ts'
import { dayAfterCompletion, nextSlot, slotsBetween } from './slots.ts'

type Wanted = { from: string; to?: string; limit: number }

/**
 * Those from `from` to `to` that are not stored, as if each was done on its day. A series after completion has no
 * other dates, so its later ones are a guess.
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
    // Instants are slow to compute, and need not be for days between.
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
 * Those due from `from` to `to` of a series that is not after completion. Unlike `coming` it skips the days before
 * `from` without computing their times.
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
  // Lazily: whether a day exists is slow to find out, and is not asked beyond the limit.
  return left
    .values()
    .filter(({ dueOn }) => dueOn > after && existsIn(zone, dueOn))
    .take(limit)
    .map((slot) => instantsOf(series, slot, zone))
    .toArray()
}

/** All slots after what is settled that are not known, in order. */
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
  // In steps: days that are far apart are found one by one.
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
