// Times of day in words: "5pm", "17:00", "14 Uhr", "9am–11am", "in the morning".
import { endsWord, matchAt } from './text.ts'
import { zoneNames } from './zoned-time.ts'

export type FoundTime = {
  end: number
  /** Minutes past midnight: when something is due, and from when it can start. */
  due: number
  from: number
  /** A range such as "9am–11am", from `from` to `due`. */
  isRange?: boolean
  /** "at 16:00" is a fixed time: together with a duration it becomes an event. */
  isFixed?: boolean
  zone?: string
  /** A time only beside a day ("12-13 tomorrow"), or only if no noun follows (not in "5pm meeting"). */
  needs?: 'day' | 'room'
  /** Set for words that imply today, such as "tonight". */
  isToday?: boolean
}

type Clock = { end: number; minutes: number; half?: 'am' | 'pm'; isBare: boolean }

const meridiem = /(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?/iuy
const colon = /(\d{1,2}):(\d\d)(?:\s?(?:uhr|h)\b)?/iuy
const dotted = /(\d{1,2})\.(\d\d)/uy
const uhr = /(\d{1,2})(?:[:.](\d\d))?\s?uhr(?:\s?(\d\d)\b)?/iuy
const french = /(\d{1,2})\s?h(?:eures?)?(?:\s?(\d\d))?/iuy
const bare = /(\d{1,2})/uy
const noon = /noon|midday|mittags?|midi|mediodía|mediodia/iuy
const midnight = /midnight|mitternacht|minuit|medianoche/iuy

/** `isClock`: only a time can stand at this position, so "9", "9.30" and "14h" are accepted as well. */
function matchClock(line: string, index: number, isClock: boolean): Clock | undefined {
  let match = matchAt(meridiem, line, index)
  if (match) {
    const half = match[3]?.toLowerCase() === 'p' ? 'pm' : 'am'
    return clock(match, match[1], match[2], index, { half })
  }
  match = matchAt(uhr, line, index)
  if (match) return clock(match, match[1], match[2] ?? match[3], index)
  match = matchAt(colon, line, index) ?? (isClock ? matchAt(dotted, line, index) : null)
  if (match) return clock(match, match[1], match[2], index)
  match = matchAt(noon, line, index)
  if (match) return clock(match, '12', '0', index)
  match = matchAt(midnight, line, index)
  if (match) return clock(match, '24', '0', index)
  if (!isClock) return undefined
  match = matchAt(french, line, index)
  if (match) return clock(match, match[1], match[2], index)
  match = matchAt(bare, line, index)
  return match ? clock(match, match[1], '0', index, { isBare: true }) : undefined
}

type Read = { half?: 'am' | 'pm'; isBare?: boolean }

function clock(
  [text]: RegExpExecArray,
  hours = '',
  minutes = '0',
  index: number,
  { half, isBare = false }: Read = {},
): Clock | undefined {
  const hour = Number(hours)
  const minute = Number(minutes)
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined
  if (half && (hour < 1 || hour > 12)) return undefined
  const end = index + text.length
  return { end, minutes: inHalf(hour, half) * 60 + minute, isBare, ...(half && { half }) }
}

const inHalf = (hour: number, half?: 'am' | 'pm') =>
  half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour

/** Reads a bare hour from 1 to 6 as afternoon: "at 5" is 17:00, "at 9" is 9:00. */
const likely = ({ minutes, isBare }: Clock) =>
  isBare && minutes >= 60 && minutes < 7 * 60 ? minutes + 720 : minutes

const at = /(?:at|@|um|gegen|à|vers|a las?)\s*/iuy
const between = /(?:from|between|von|zwischen|de|entre|desde)\s+/iuy
const to = /\s?[-–—]\s?|\s+(?:to|until|till|bis|à|a|and|und|et|y)\s+(?:las?\s+)?/iuy

/** `isBesideDay`: a day stands right before `index`. `isFrench`: the locale or that day is French. */
export function matchTime(
  line: string,
  index: number,
  isBesideDay: boolean,
  isFrench: boolean,
): FoundTime | undefined {
  const found = matchRange(line, index) ?? matchSingle(line, index, isBesideDay, isFrench)
  if (!found) return matchPart(line, index)
  const zone = matchAt(/\s?(?:\b([A-Z]{2,4})\b|Z\b)/y, line, found.end)
  const name = zone && (zoneNames[zone[1] ?? 'UTC'] ?? undefined)
  if (zone && name) return { ...found, zone: name, end: found.end + zone[0].length }
  return endsWord(line, found.end) ? found : undefined
}

function matchSingle(line: string, index: number, isBesideDay: boolean, isFrench: boolean) {
  const lead = matchAt(at, line, index)
  const start = index + (lead?.[0].length ?? 0)
  const hour = matchClock(line, start, lead !== null || (isBesideDay && isFrench))
  if (!hour || (hour.isBare && !lead)) return undefined
  // "demain 2h" is a length, "demain 14h" a time.
  if (!lead && isFrench && /^\d+\s?h/i.test(line.slice(start)) && hour.minutes < 7 * 60) {
    return undefined
  }
  const minutes = likely(hour)
  const needs = lead ? undefined : ('room' as const)
  return { end: hour.end, due: minutes, from: minutes, isFixed: lead !== null, needs }
}

function matchRange(line: string, index: number): FoundTime | undefined {
  const lead = matchAt(between, line, index) ?? matchAt(at, line, index)
  const one = matchClock(line, index + (lead?.[0].length ?? 0), true)
  const dash = one && matchAt(to, line, one.end)
  const other = dash && matchClock(line, one.end + dash[0].length, true)
  if (!other || !endsWord(line, other.end)) return undefined
  const isBare = one.isBare && other.isBare
  // "30m - 2h" and "1h - 2h" are lengths.
  if (!lead && /^\d+\s?h/i.test(line.slice(index)) && !/h/i.test(dash[0])) return undefined
  // "9-11am": both in the morning; "11-1pm": only the later one.
  const borrowed = other.half && one.isBare ? withHalf(one, other) : one.minutes
  const from = one.isBare && !other.half ? likely(one) : borrowed
  let due = other.minutes
  while (due <= from) due += 720
  return {
    end: other.end,
    due,
    from,
    isRange: true,
    ...(isBare && !lead && { needs: 'day' as const }),
  }
}

function withHalf(one: Clock, { half, minutes }: Clock) {
  const hour = inHalf(one.minutes / 60, half) * 60
  return hour < minutes ? hour : one.minutes
}

/** Parts of the day. "night" and the like match in lower case only, because of "Friday Night Lights". */
const parts: [RegExp, Omit<FoundTime, 'end'>][] = [
  part(String.raw`[Tt]onight|heute [Nn]acht|esta noche|cette nuit`, 18, 22, { isToday: true }),
  part(String.raw`[Tt]his evening|ce soir`, 17, 20, { isToday: true }),
  part(String.raw`[Tt]his afternoon|cet après-midi|esta tarde`, 12, 17, { isToday: true }),
  part(String.raw`[Tt]his morning|ce matin|esta mañana`, 6, 12, { isToday: true }),
  part(String.raw`(?:in the )?morning|[Ff]rüh|[Vv]ormittags?|matin|(?:por|de) la mañana`, 6, 12, {
    needs: 'day',
  }),
  part(String.raw`(?:in the )?afternoon|[Nn]achmittags?|après-midi|(?:por|de) la tarde`, 12, 17, {
    needs: 'day',
  }),
  part(String.raw`(?:in the )?evening|[Aa]bends?|soir`, 17, 20, { needs: 'day' }),
  part(String.raw`(?:at )?night|[Nn]achts?|(?:por|de) la noche`, 18, 22, { needs: 'day' }),
]

type More = Pick<FoundTime, 'isToday' | 'needs'>

function part(words: string, from: number, due: number, more: More) {
  const found = { from: from * 60, due: due * 60, ...more }
  return [new RegExp(words, 'uy'), found] satisfies [RegExp, Omit<FoundTime, 'end'>]
}

function matchPart(line: string, index: number): FoundTime | undefined {
  for (const [pattern, part] of parts) {
    const match = matchAt(pattern, line, index)
    const end = index + (match?.[0].length ?? 0)
    if (match && endsWord(line, end)) return { ...part, end }
  }
  return undefined
}
