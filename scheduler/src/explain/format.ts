// Formats times, durations and titles for sentences, in the user's zone.

export const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
export const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const dayMs = 86_400_000

export type TimeFormat = {
  /** `Tue 13:55`; with the date where the weekday alone is ambiguous. */
  time: (at: number) => string
  /** `13:55` */
  clock: (at: number) => string
  /** The number of midnights from one instant to the other, in the user's zone. */
  daysBetween: (from: number, to: number) => number
}

/** `now` decides which times are written with their date or year. */
export function createTimeFormat(timezone: string, now: number): TimeFormat {
  const local = localTime(timezone)
  const today = local(now)
  const known = new Map<number, string>()

  const clock = (at: number) => {
    const date = new Date(local(at))
    return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
  }
  const time = (at: number) => {
    const seen = known.get(at)
    if (seen) return seen
    const date = new Date(local(at))
    const ahead = dayOf(date.getTime()) - dayOf(today)
    const parts = [days[date.getUTCDay()]]
    if (ahead < 0 || ahead > 6) {
      parts.push(`${date.getUTCDate()} ${months[date.getUTCMonth()]}`)
      const year = date.getUTCFullYear()
      if (year !== new Date(today).getUTCFullYear()) parts.push(String(year))
    }
    parts.push(clock(at))
    const text = parts.join(' ')
    known.set(at, text)
    return text
  }
  return { time, clock, daysBetween: (from, to) => dayOf(local(to)) - dayOf(local(from)) }
}

/** `45 min`, `2 h`, `1 h 30 min`. */
export function formatMinutes(minutes: number) {
  const hours = Math.floor(minutes / 60)
  const rest = minutes - hours * 60
  if (!hours) return `${rest} min`
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

/** `Not everything fits before Wed 17:00: 6 tasks need 11 h, and there are 9 h.` */
export function formatShortage(by: string, count: number, need: number, open: number) {
  const room = open ? `${isOneUnit(open) ? 'is' : 'are'} ${formatMinutes(open)}` : 'is none'
  return `Not everything fits ${by}: ${count} tasks need ${formatMinutes(need)}, and there ${room}.`
}

/** Whether the duration takes a singular verb: 1 h or 1 min. */
export const isOneUnit = (minutes: number) => minutes === 60 || minutes === 1

const numbers = 'zero one two three four five six seven eight nine ten'.split(' ')

/** `two`, `12`: in words up to ten. */
export const formatNumber = (count: number) => numbers[count] ?? String(count)

const longestTitle = 60

/** Puts the title in double quotes and replaces those inside it, so that the next `”` ends the title. */
export function formatTitle(title: string) {
  const single = title.replaceAll('“', '‘').replaceAll('”', '’')
  const line = single.replace(/\s+/g, ' ').trim() || 'untitled'
  if (line.length <= longestTitle) return `“${line}”`
  // A surrogate pair cut in half is text that PostgreSQL refuses.
  const cut = line.slice(0, longestTitle - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `“${cut.trimEnd()}…”`
}

/** `A`, `A and B`, `A, B and 3 more`: at most three things are named. */
export function formatList(names: string[], total = names.length) {
  const named = names.slice(0, total > 3 ? 2 : 3)
  const rest = total - named.length
  if (rest > 0) return `${named.join(', ')} and ${rest} more`
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
}

const two = (value: number) => String(value).padStart(2, '0')
const dayOf = (ms: number) => Math.floor(ms / dayMs)

/**
 * Wall-clock time as if it were UTC. A zone's offset holds from one change of the clocks to the
 * next, so it is looked up once per stretch: a lookup per time would take longer than planning.
 */
function localTime(timezone: string) {
  const stretches: { start: number; end: number; offset: number }[] = []
  return (at: number) => {
    for (const { start, end, offset } of stretches) if (at >= start && at < end) return at + offset
    const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
    const offset = moment.offsetNanoseconds / 1e6
    // 'previous' means strictly before, but a transition at this very instant must count.
    const before = moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
    const after = moment.getTimeZoneTransition('next')
    stretches.push({
      start: before?.epochMilliseconds ?? -Infinity,
      end: after?.epochMilliseconds ?? Infinity,
      offset,
    })
    return at + offset
  }
}
