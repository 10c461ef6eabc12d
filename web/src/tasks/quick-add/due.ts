// Dates in text. chrono-node finds them; the instant is computed here in the user's time zone, so that days
// with a daylight saving change are right.
import type { ParsedResult } from 'chrono-node'
import { instantAt, zoned, type Zone } from '../../time/zone.ts'
import type { Token } from './parse.ts'

export type DateFinder = (
  text: string,
  reference: { instant: Date; timezone: number },
  options: { forwardDate: boolean },
) => ParsedResult[]

/** The due time of a day without a time. */
const noon = 12 * 60
const endOfWork = 17 * 60
const endOfDay = 23 * 60 + 59

type Known = { now: Date; zone: Zone; findDates: DateFinder }

/** At most one due date, and one earliest start. */
export function findDue(line: string, { now, zone, findDates }: Known): Token[] {
  const timezone = zoned(now, zone).offsetNanoseconds / 60e9
  const found = findDates(line, { instant: now, timezone }, { forwardDate: true })
    .filter(isMeant)
    .map((result): Token => {
      const before = line.slice(0, result.index)
      const from = /\b(after|from|starting|start|not before)\s+$/i.exec(before)
      const lead = from ?? /\b(due|by|on|before|until|till)\s+$/i.exec(before)
      const start = result.index - (lead?.[0].length ?? 0)
      const end = result.index + result.text.trimEnd().length
      const value = from ? startOf(result, zone) : dueOf(result, now, zone)
      return { kind: from ? 'start' : 'due', value, text: line.slice(start, end), start, end }
    })
  return (['due', 'start'] as const).flatMap((kind) =>
    found.filter((token) => token.kind === kind).slice(0, 1),
  )
}

/** A month alone is usually a name, and "now" is no due date. */
const isMeant = ({ text, start }: ParsedResult) =>
  text.toLowerCase() !== 'now' &&
  (['day', 'weekday', 'hour', 'timezoneOffset'] as const).some((part) => start.isCertain(part))

function dueOf(result: ParsedResult, now: Date, zone: Zone) {
  const end = result.end ?? result.start
  if (end.isCertain('timezoneOffset')) return end.date()
  if (end.isCertain('hour')) return wall(end, minutesOf(end), zone)
  if (/night|evening|afternoon/i.test(result.text)) return wall(end, minutesOf(end), zone)
  const due = wall(end, /morning/i.test(result.text) ? noon : endOfWork, zone)
  return due > now ? due : wall(end, endOfDay, zone)
}

const startOf = ({ start }: ParsedResult, zone: Zone) =>
  start.isCertain('timezoneOffset')
    ? start.date()
    : wall(start, start.isCertain('hour') ? minutesOf(start) : 0, zone)

type Parts = ParsedResult['start']

const minutesOf = (parts: Parts) => (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0)

function wall(parts: Parts, minutes: number, zone: Zone) {
  const [year = 1970, month = 1, day = 1] = (['year', 'month', 'day'] as const).map(
    (part) => parts.get(part) ?? undefined,
  )
  return instantAt(Temporal.PlainDate.from({ year, month, day }), minutes, zone)
}
