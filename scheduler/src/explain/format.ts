// Formats times, durations and titles for sentences, in the user's zone.

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const dayMs = 86_400_000

export type TimeFormat = {
  /** `Tue 13:55`; with the date where the weekday alone is ambiguous. */
  time: (at: number) => string
  /** `13:55` */
  clock: (at: number) => string
  /** The same day in the user's zone. */
  sameDay: (one: number, other: number) => boolean
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
    if (ahead < 0 || ahead > 6) parts.push(`${date.getUTCDate()} ${months[date.getUTCMonth()]}`)
    const year = date.getUTCFullYear()
    if (year !== new Date(today).getUTCFullYear()) parts.push(String(year))
    parts.push(clock(at))
    const text = parts.join(' ')
    known.set(at, text)
    return text
  }
  return { time, clock, sameDay: (one, other) => dayOf(local(one)) === dayOf(local(other)) }
}

/** `45 min`, `2 h`, `1 h 30 min`. */
export function formatMinutes(minutes: number) {
  const hours = Math.floor(minutes / 60)
  const rest = minutes - hours * 60
  if (!hours) return `${rest} min`
  return rest ? `${hours} h ${rest} min` : `${hours} h`
}

/** `9 h are open`, `1 h is open`, `nothing is open`. */
export function formatOpenTime(minutes: number) {
  if (!minutes) return 'nothing is open'
  return `${formatMinutes(minutes)} ${minutes === 60 || minutes === 1 ? 'is' : 'are'} open`
}

/** How late: `35 min`, `5 h 10 min`, then to the hour: `1 day 3 h`. */
export function formatDelay(minutes: number) {
  if (minutes < 1440) return formatMinutes(minutes)
  const hours = Math.floor(minutes / 60)
  const rest = hours % 24
  return plural(Math.floor(hours / 24), 'day') + (rest ? ` ${rest} h` : '')
}

const longestTitle = 60

export function formatTitle(title: string) {
  const line = title.replace(/\s+/g, ' ').trim() || 'untitled'
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

const plural = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

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
