// Days in words: "27 Nov", "next friday", "in 3 days", "24.11.", "eom".
import { anyOf, endsWord, matchAt } from './text.ts'
import { numbers, readNumber, type Vocabulary } from './vocabulary.ts'

type PlainDate = Temporal.PlainDate

export type FoundDay = {
  end: number
  first: PlainDate
  last: PlainDate
  /** The day to use if the first one is over, such as the Friday after a Friday. */
  otherwise?: PlainDate
  /** The text is a date only after a word such as "by" (`lead`), or only if no noun follows (`room`). */
  needs?: 'lead' | 'room'
  /** A short weekday, which is part of a name if a capitalised word follows: "Sat Patel". */
  isShort?: boolean
  /** "27–29 Nov": the task can start on the first day and is due on the last. */
  isRange?: boolean
}

type Found = Omit<FoundDay, 'end'> | undefined
type Rule = [RegExp, (match: RegExpExecArray, today: PlainDate) => Found]

const made = new Map<Vocabulary, Rule[]>()

/** The longest text for a day that begins at this position. */
export function matchDay(line: string, index: number, today: PlainDate, words: Vocabulary) {
  const rules = made.get(words) ?? rulesOf(words)
  made.set(words, rules)
  let best: FoundDay | undefined
  for (const [pattern, read] of rules) {
    const match = matchAt(pattern, line, index)
    const end = index + (match?.[0].length ?? 0)
    if (!match || end <= (best?.end ?? 0)) continue
    if (!endsWord(line, end) && !/^\s?[-–]/.test(line.slice(end))) continue
    const found = read(match, today)
    if (found) best = { ...found, end }
  }
  return best
}

/** A day, or a range of days such as "mon-wed", "27 Nov – 2 Dec" and "fri or sat". */
export function matchDays(
  line: string,
  index: number,
  today: PlainDate,
  words: Vocabulary,
): FoundDay | undefined {
  const one = matchDay(line, index, today, words)
  if (!one) return undefined
  const dash = matchAt(/\s?[-–]\s?|\s+(?:or|oder|ou|o)\s+/y, line, one.end)
  const other = dash && matchDay(line, one.end + dash[0].length, today, words)
  if (other && endsWord(line, other.end)) {
    const { last, otherwise, end } = other
    const isBefore = Temporal.PlainDate.compare(last, one.first) < 0
    return {
      first: one.first,
      last: (isBefore && otherwise) || last,
      isRange: /[-–]/.test(dash[0]),
      end,
    }
  }
  return endsWord(line, one.end) ? one : undefined
}

function rulesOf({ weekdays, months, isMonthFirst }: Vocabulary): Rule[] {
  const weekday = String.raw`(${anyOf(weekdays.keys())})(?!\p{L})\.?`
  const month = String.raw`(${anyOf(months.keys())})(?!\p{L})`
  const ordinal = String.raw`(?:st|nd|rd|th|er|re|\.|º)?`
  const year = String.raw`(?:,?\s+(?:de\s+|del\s+)?(20\d\d)\b)?`
  const namedDay = String.raw`(?:(?:${anyOf(weekdays.keys())})(?!\p{L})\.?,?\s+(?:the\s+|den\s+|dem\s+|le\s+|el\s+)?)?(?:the\s+|le\s+|el\s+)?`
  const count = String.raw`(\d{1,3}|${anyOf(numbers.keys())})`
  const weekdayOf = (word = '') => weekdays.get(word.toLowerCase())!
  const monthOf = (word = '') => months.get(word.toLowerCase())!

  return [
    rule(String.raw`([12]\d{3})-(\d\d)-(\d\d)`, ([, y, m, d]) => on(dateOf(y, m, d))),
    rule(
      String.raw`${namedDay}(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(20\d\d)|(\d\d))?`,
      ([, d, m, y, short], today) => comingDate(today, m, d, y ?? (short && `20${short}`)),
    ),
    rule(String.raw`(\d{1,2})\.(\d{1,2})`, ([, d, m], today) =>
      needing('lead', comingDate(today, m, d)),
    ),
    rule(String.raw`(\d{1,2})[-.](\d{1,2})[-.](20\d\d)`, ([, d, m, y]) => on(dateOf(y, m, d))),
    rule(String.raw`${namedDay}(\d{1,2})/(\d{1,2})(?:/(?:(20\d\d)|(\d\d)))?`, (match, today) => {
      const [text, one = '', other = '', y, short] = match
      const isMonthSecond = Number(one) > 12 || (!isMonthFirst && Number(other) <= 12)
      const [m, d] = isMonthSecond ? [other, one] : [one, other]
      const found = comingDate(today, m, d, y ?? (short && `20${short}`))
      // "1/2 cup" and "24/7 support" are not dates.
      const isFraction = text === '24/7' || (Number(one) < 4 && Number(other) < 5)
      return y || short ? found : needing(isFraction ? 'lead' : 'room', found)
    }),
    rule(
      String.raw`${namedDay}(\d{1,2})(?:\s?[-–]\s?(\d{1,2}))?${ordinal}\s?(?:of\s+|de\s+)?${month}\.?${year}`,
      ([, d, to, m, y], today) => range(today, monthOf(m), d, to, y),
    ),
    rule(
      String.raw`${namedDay}${month}\.?\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?(?:\s?[-–]\s?(\d{1,2})(?:st|nd|rd|th)?\b(?!:))?${year}`,
      ([, m, d, to, y], today) => range(today, monthOf(m), d, to, y),
    ),
    rule(
      String.raw`(?:(this|coming|diese[nrsm]?|kommende[nrm]?|ce|este)\s+|(next|nächste[nrsm]?|prochain|próximo|proximo)\s+)?${weekday}(\s+(?:next week|nächste woche|nächster woche|prochaine?|que viene|próximo))?`,
      ([text, nearer, next, word, later], today) => {
        const day = weekdayOf(word)
        if (next || later) return on(mondayOf(today).add({ days: 6 + day }))
        const first = today.add({ days: (day - today.dayOfWeek + 7) % 7 })
        // A two-letter weekday must be capitalised: "do" and "so" are words as well.
        const isTiny = /^[a-z]{2}$/i.test(text)
        if (isTiny && !/^[A-Z]/.test(text)) return undefined
        return {
          first,
          last: first,
          ...(isTiny && { needs: 'room' as const }),
          otherwise: first.add({ days: 7 }),
          isShort: !nearer && /^\w{3,5}$/.test(text),
        }
      },
    ),
    rule(String.raw`today|tod|heute|aujourd['’]hui|hoy`, (_, today) => on(today)),
    rule(String.raw`tomorrow|tmrw|tmr|tmw|morgen|demain|mañana`, (_, today) => on(plus(today, 1))),
    rule(
      String.raw`(?:the\s+)?day after tomorrow|overmorrow|übermorgen|après[ -]demain|pasado mañana`,
      (_, today) => on(plus(today, 2)),
    ),
    rule(
      String.raw`(?:in|within|dans|en|dentro de|d['’]ici)\s+${count}\s?(?:(days?|d|tage?n?|jours?|días?|dias?)|(weeks?|w|wks?|wochen?|semaines?|semanas?)|(months?|monate?n?|mois|mese?s?)|(years?|jahre?n?|ans?|años?))(?!\p{L})`,
      ([, n = '', isDays, isWeeks, isMonths], today) => later(today, n, isDays, isWeeks, isMonths),
    ),
    rule(
      String.raw`${count}\s(?:(days?)|(weeks?)|(months?)|(?:years?)) from (?:now|today)`,
      ([, n = '', isDays, isWeeks, isMonths], today) => later(today, n, isDays, isWeeks, isMonths),
    ),
    rule(String.raw`eod|(?:the\s+)?end of (?:the )?day|ende des tages|feierabend`, (_, today) =>
      on(today),
    ),
    rule(
      String.raw`(?:the\s+)?end of (?:the |this )?week|eow|this week|diese woche|ende der woche|ende dieser woche|cette semaine|esta semana`,
      (_, today) => weekOf(today),
    ),
    rule(
      String.raw`(?:the\s+)?(?:end of )?next week|(?:ende )?nächste[rn]? woche|(?:la\s+)?semaine prochaine|(?:la\s+)?próxima semana|(?:la\s+)?semana que viene`,
      (_, today) => weekOf(mondayOf(today).add({ days: 7 })),
    ),
    rule(
      String.raw`(?:this |the |am |ce |este )?weekend|(?:dieses |am )?wochenende|ce week-end|fin de semana`,
      ([text], today) => {
        const saturday = mondayOf(today).add({ days: 5 })
        const found = { first: saturday, last: saturday.add({ days: 1 }) }
        return text.includes(' ') ? found : needing('room', found)
      },
    ),
    rule(
      String.raw`(?:the\s+)?end of (?:the |this )?month|eom|this month|diesen monat|ende des monats|monatsende|(?:la )?fin du mois|ce mois-ci|(?:a )?fin de mes|este mes`,
      (_, today) => monthFrom(today.with({ day: 1 })),
    ),
    rule(
      String.raw`(?:(?:the\s+)?end of )?next month|nächsten monat|ende nächsten monats|(?:le )?mois prochain|(?:el )?próximo mes|(?:el )?mes que viene`,
      (_, today) => monthFrom(today.with({ day: 1 }).add({ months: 1 })),
    ),
    rule(
      String.raw`(?:the\s+)?end of (?:the |this )?year|eoy|this year|ende des jahres|jahresende|fin de l['’]année|fin de año`,
      (_, today) => ({ first: today, last: today.with({ month: 12, day: 31 }) }),
    ),
    rule(String.raw`(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)`, ([, d], today) =>
      needing('room', comingDay(today, d)),
    ),
    rule(String.raw`(?:le|el(?:\s+día)?)\s+(\d{1,2})(?:er)?`, ([, d], today) =>
      needing('room', comingDay(today, d)),
    ),
    rule(String.raw`(\d{1,2})\.(?=\s|$)`, ([, d], today) => needing('lead', comingDay(today, d))),
  ]
}

const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'iuy'), read]

const on = (day: PlainDate | undefined): Found => day && { first: day, last: day }
const needing = (needs: 'lead' | 'room', found: Found): Found => found && { ...found, needs }
const plus = (day: PlainDate, days: number) => day.add({ days })

export const mondayOf = (day: PlainDate) => day.subtract({ days: day.dayOfWeek - 1 })

/** The week of a day. It ends on Friday, or on Sunday if the day is on the weekend. */
function weekOf(day: PlainDate): Found {
  const monday = mondayOf(day)
  return { first: monday, last: monday.add({ days: day.dayOfWeek > 5 ? 6 : 4 }) }
}

const monthFrom = (first: PlainDate): Found => ({
  first,
  last: first.with({ day: first.daysInMonth }),
})

function later(today: PlainDate, n: string, isDays?: string, isWeeks?: string, isMonths?: string) {
  const value = readNumber(n)
  if (isDays) return on(today.add({ days: value }))
  if (isWeeks) return on(today.add({ weeks: value }))
  return on(isMonths ? today.add({ months: value }) : today.add({ years: value }))
}

/** Undefined if there is no such day. */
function dateOf(year: unknown, month: unknown, day: unknown) {
  const fields = { year: Number(year), month: Number(month), day: Number(day) }
  try {
    return Temporal.PlainDate.from(fields, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

/** Without a year, the next such date from today on; 29 February waits for a leap year. */
function comingDate(today: PlainDate, month: unknown, day: unknown, year?: string): Found {
  if (year) return on(dateOf(year, month, day))
  const [first, otherwise] = Array.from({ length: 9 }, (_, i) => dateOf(today.year + i, month, day))
    .filter((each) => each !== undefined)
    .filter((each) => Temporal.PlainDate.compare(each, today) >= 0)
  return first && { first, last: first, ...(otherwise && { otherwise }) }
}

/** The next day with this number, in this month or the next month that has it. */
function comingDay(today: PlainDate, day: unknown): Found {
  const first = today.with({ day: 1 })
  const [coming, otherwise] = [0, 1, 2, 3, 4]
    .map((months) => first.add({ months }))
    .map(({ year, month }) => dateOf(year, month, day))
    .filter((each) => each !== undefined)
    .filter((each) => Temporal.PlainDate.compare(each, today) >= 0)
  return coming && { first: coming, last: coming, ...(otherwise && { otherwise }) }
}

function range(today: PlainDate, month: number, day: unknown, to: unknown, year?: string): Found {
  const found = comingDate(today, month, day, year)
  if (!found || to === undefined) return found
  const last = dateOf(found.first.year, month, to)
  return last && Temporal.PlainDate.compare(last, found.first) > 0
    ? { first: found.first, last, isRange: true }
    : undefined
}
