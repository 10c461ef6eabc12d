// Lengths of time: 45m, 2h, 1.5h, 1h30, 1:30, 2d, half an hour.
import { anyOf, endsWord, matchAt } from './text.ts'
import { numbers, readNumber } from './vocabulary.ts'

/** The longest estimate that a task can have. */
const mostMinutes = 960

/** A day of work, not of the calendar. */
const workdayMinutes = 480

const amount = String.raw`(\d{1,4}(?:[.,]\d{1,2}|½)?|½|${anyOf(numbers.keys())})`
const hours = String.raw`(?:hours?|hrs?|h|stunden?|std|heures?|horas?)(?!\p{L})\.?`
const minutes = String.raw`(?:minutes?|mins?|minuten|minutos?)(?!\p{L})\.?`
const days = String.raw`days?|d|tage?|jours?|días?|dias?`

const patterns: [RegExp, (match: RegExpExecArray) => number | undefined][] = [
  [
    /(?:a )?half[ -](?:an )?hour|(?:eine )?halbe stunde|(?:une )?demi(?:e |-)heure|media hora/iuy,
    () => 30,
  ],
  [
    /(?:a )?quarter (?:of an )?hour|(?:eine )?viertelstunde|(?:un )?quart d['’]heure|(?:un )?cuarto de hora/iuy,
    () => 15,
  ],
  [
    /an hour and a half|anderthalb stunden|eineinhalb stunden|une heure et demie|(?:una )?hora y media/iuy,
    () => 90,
  ],
  [sticky(`${amount} and a half hours`), ([, n = '']) => readNumber(n) * 60 + 30],
  // Before other words the minutes need their unit or no space: "2h 30 cards" is two hours.
  [
    sticky(
      String.raw`${amount}[\s-]?${hours}(?:(?: and| und| et| y)?\s?(\d{1,2})(?:\s?(?:${minutes}|m(?!\p{L}))|$)|(\d{2})(?!\d))?`,
    ),
    ([text, n = '', rest, attached]) =>
      /^an? |^[a-z]+h$/i.test(text) && !/^an hour/i.test(text)
        ? undefined
        : readNumber(n) * 60 + Number(rest ?? attached ?? '0'),
  ],
  // "m" alone means minutes only right after the number: "100 m" are metres.
  [sticky(String.raw`(\d{1,4})(?:[\s-]?${minutes}|m)`), ([, n = '']) => Number(n)],
  [
    sticky(
      String.raw`(${[...numbers.keys()].filter((word) => word.length > 2).join('|')}) ${minutes}`,
    ),
    ([, n = '']) => readNumber(n),
  ],
  [
    sticky(String.raw`(\d{1,2}(?:[.,]\d)?)\s?(?:${days})`),
    ([, n = '']) => readNumber(n) * workdayMinutes,
  ],
]

const clock = /(\d{1,2}):(\d{2})/uy

export type FoundDuration = { end: number; minutes: number; isMarked: boolean }

/** A duration that begins at this position; `isMarked` if it has a "~" before it. */
export function matchDuration(line: string, index: number): FoundDuration | undefined {
  const isMarked = line[index] === '~'
  const start = isMarked ? index + 1 : index
  for (const [pattern, minutesOf] of patterns) {
    const match = matchAt(pattern, line, start)
    const value = match && minutesOf(match)
    if (!match || value === undefined || value === null) continue
    const end = start + match[0].length
    if (endsWord(line, end)) return { end, minutes: value, isMarked }
  }
  const match = isMarked ? matchAt(clock, line, start) : null
  if (!match) return undefined
  return {
    end: start + match[0].length,
    minutes: Number(match[1]) * 60 + Number(match[2]),
    isMarked,
  }
}

export const isEstimate = (minutes: number) => minutes > 0 && minutes <= mostMinutes

/** Reads a whole text as a duration, for an input that holds nothing else. A number alone means minutes. */
export function readMinutes(text: string): number | undefined {
  const words = text.trim().replace(/^~/, '')
  if (/^\d{1,4}$/.test(words)) return within(Number(words))
  const found = matchDuration(`~${words}`, 0)
  return found && found.end === words.length + 1 ? within(found.minutes) : undefined
}

const within = (minutes: number) => (isEstimate(minutes) ? Math.round(minutes) : undefined)

function sticky(source: string) {
  return new RegExp(source, 'iuy')
}
