const pattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/

/**
 * Parses ISO 8601 leniently: a date, or a date and time with `Z`, an offset or neither (then UTC). Returns
 * undefined unless it is a real day and time of the years 0001 to 9999.
 *
 * `new Date(text)` does not validate: it turns 30 February into 1 March, accepts "foo 2024", and reads a
 * time without an offset as local.
 */
export function parseTimestamp(text: string): Date | undefined {
  const parts = pattern.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z'] = parts
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined

  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second), milliseconds)
  const inRange = Number(year) > 0 && date.getUTCFullYear() > 0 && date.getUTCFullYear() < 10_000
  return inRange ? date : undefined
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
