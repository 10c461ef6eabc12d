// Formats times in the user's language and time zone.
import { dayOf, type Zone } from './zone.ts'

const made = new Map<string, Intl.DateTimeFormat>()

/** Returns a cached formatter: creating one is slow, and a week shows hundreds of times. */
function format(options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify(options)
  const known = made.get(key) ?? new Intl.DateTimeFormat(undefined, options)
  made.set(key, known)
  return known
}

const hourCycle = 'h23' as const

/** 9:30, or 14:05 */
export const formatTime = (date: Date, timeZone: Zone) =>
  format({ timeZone, hour: 'numeric', minute: '2-digit', hourCycle })
    .format(date)
    .replace(/^0(\d)/, '$1')

/** Wed 18 Nov */
export const formatDay = (date: Date, timeZone: Zone) =>
  format({ timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(date)

export const formatDate = (date: Date, timeZone: Zone) =>
  format({ timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(date)

/** Today 14:00, Tomorrow 9:30, Fri 20 Nov 17:00 */
export function formatWhen(date: Date, zone: Zone, now: Date) {
  const day = formatRelativeDay(date, zone, now)
  return `${day} ${formatTime(date, zone)}`
}

// Within a sentence: `due today 9:00`.
export const formatWhenInText = (date: Date, zone: Zone, now: Date) =>
  withoutCapital(formatWhen(date, zone, now))
export const formatDayInText = (date: Date, zone: Zone, now: Date) =>
  withoutCapital(formatRelativeDay(date, zone, now))

const withoutCapital = (text: string) =>
  text.replace(/^(?:Today|Tomorrow|Yesterday)/, (day) => day.toLowerCase())

export function formatRelativeDay(date: Date, zone: Zone, now: Date) {
  const days = dayOf(now, zone).until(dayOf(date, zone)).days
  if (days === 0) return 'Today'
  if (days === 1) return 'Tomorrow'
  if (days === -1) return 'Yesterday'
  return formatDay(date, zone)
}

/** 45m, 2h, 1h 30m */
export function formatMinutes(minutes: number) {
  const whole = Math.round(minutes)
  const hours = Math.floor(whole / 60)
  const rest = whole % 60
  if (hours === 0) return `${rest}m`
  return rest === 0 ? `${hours}h` : `${hours}h ${rest}m`
}

const quarters = ['', '¼', '½', '¾']

/** 5¼h: to the nearest quarter, for sums over a day. */
export function formatHours(minutes: number) {
  const rounded = Math.round(minutes / 15)
  const hours = Math.floor(rounded / 4)
  const quarter = quarters[rounded % 4] ?? ''
  return `${hours === 0 && quarter !== '' ? '' : hours}${quarter}h`
}

/** AEDT, CET: the name of the zone on that day. */
export const zoneName = (date: Date, timeZone: Zone) =>
  format({ timeZone, timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
