// Reads how often a task repeats ("every friday", "every! 3 days", "3x a week") as an RFC 5545 rule.
import { anyOf, endsWord, matchAt, wordAfter, wordStarts } from './text.ts'
import { linkingWords, numbers, readNumber, type Vocabulary } from './vocabulary.ts'

export type Repeat = {
  /** On the days of the rule, an interval after the last completion, or a number of times per period. */
  kind: 'calendar' | 'completion' | 'times'
  rule: string
  times?: number
  /** 09:30, local */
  time?: string
  startsOn?: string
  endsOn?: string
}

export type FoundRepeat = { start: number; end: number; value: Repeat }

const every = String.raw`(?:every|each|ev|jede[nrsm]?|alle|chaque|cada|tous les|toutes les|todos los|todas las)`
const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const workdays = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'

/** The words for each unit, its frequency, and its factor for the interval. */
const units: [string, string, number][] = [
  [
    String.raw`days?|tage?|jours?|días?|dias?|mornings?|evenings?|nights?|morgen|abend|matins?|soirs?|noches?`,
    'DAILY',
    1,
  ],
  [String.raw`weeks?|wochen?|semaines?|semanas?`, 'WEEKLY', 1],
  [String.raw`months?|monate?|mois|mes(?:es)?`, 'MONTHLY', 1],
  [String.raw`quarters?|quartale?|trimestres?`, 'MONTHLY', 3],
  [String.raw`years?|jahre?|ans?|années?|años?`, 'YEARLY', 1],
]
const unit = units.map(([words]) => `(${words})`).join('|')

const adverbs: Record<string, string> = {
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY',
  biweekly: 'FREQ=WEEKLY;INTERVAL=2',
  fortnightly: 'FREQ=WEEKLY;INTERVAL=2',
  monthly: 'FREQ=MONTHLY',
  quarterly: 'FREQ=MONTHLY;INTERVAL=3',
  yearly: 'FREQ=YEARLY',
  annually: 'FREQ=YEARLY',
  täglich: 'FREQ=DAILY',
  wöchentlich: 'FREQ=WEEKLY',
  monatlich: 'FREQ=MONTHLY',
  jährlich: 'FREQ=YEARLY',
  diario: 'FREQ=DAILY',
  werktags: workdays,
}

const positions: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }

/** The most times in one period, as in the contract. */
const mostTimes = 31

type Rule = [RegExp, (match: RegExpExecArray) => Repeat | undefined]
const made = new Map<Vocabulary, Rule[]>()

/** The first repetition in the line. */
export function findRepeat(line: string, words: Vocabulary): FoundRepeat | undefined {
  const rules = made.get(words) ?? rulesOf(words)
  made.set(words, rules)
  for (const start of wordStarts(line)) {
    let best: FoundRepeat | undefined
    for (const [pattern, read] of rules) {
      const match = matchAt(pattern, line, start)
      const end = start + (match?.[0].length ?? 0)
      if (!match || end <= (best?.end ?? 0) || !endsWord(line, end)) continue
      const value = read(match)
      if (value) best = { start, end, value }
    }
    if (best && !isAdjective(line, best)) return best
  }
  return undefined
}

/** Whether the word describes the next one: "write weekly report" is done once. */
function isAdjective(line: string, { start, end }: FoundRepeat) {
  if (!(line.slice(start, end).toLowerCase() in adverbs)) return false
  const next = wordAfter(line, end)
  return /^\p{L}/u.test(next) && !linkingWords.has(next.toLowerCase())
}

function rulesOf({ weekdays, months }: Vocabulary): Rule[] {
  const weekday = String.raw`(?:${anyOf(weekdays.keys())})(?:s|en)?(?!\p{L})\.?`
  const list = String.raw`(${weekday}(?:(?:\s?[,/&+]\s?|\s+(?:and|und|et|y)\s+|\s+)${weekday})*)`
  const month = anyOf(months.keys())
  const nth = String.raw`(?:(other|second|2nd|zweite[nrs]?|deux|dos|third|3rd|fourth|4th|\d{1,2}\.?(?:th)?|${anyOf(numbers.keys())})\s+)?`
  const position = String.raw`(first|1st|second|2nd|third|3rd|fourth|4th|last)`
  const daysOf = (text: string) => {
    const found = [...text.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => {
      const day = weekdays.get(word) ?? weekdays.get(word.replace(/(s|en)$/, ''))
      return day ? [day] : []
    })
    return [...new Set(found)].toSorted((a, b) => a - b).map((day) => dayCodes[day - 1])
  }
  const weekly = (text: string, interval = 1) =>
    `FREQ=WEEKLY${intervalPart(interval)};BYDAY=${daysOf(text).join(',')}`

  return [
    // every 3 days, every other week on sunday, every month on the 1st
    rule(
      String.raw`${every}(!)?\s+${nth}(?:${unit})(?:\s+on\s+${list}|\s+on the (\d{1,2})(?:st|nd|rd|th)|\s+on the (last) day)?(\s+after (?:completion|it is done|i last did it|done))?`,
      ([, mark, n, ...rest]) => {
        const at = units.findIndex((_, i) => rest[i] !== undefined)
        const [, frequency = '', size = 1] = units[at] ?? []
        const [days, monthDay, last, after] = rest.slice(units.length)
        const interval = intervalOf(n) * size
        if (interval < 1 || (monthDay && !isMonthDay(monthDay))) return undefined
        const by = monthDay ?? (last && '-1')
        const base = `FREQ=${frequency}${intervalPart(interval)}`
        return {
          kind: mark || after ? 'completion' : 'calendar',
          rule: days
            ? weekly(days, frequency === 'WEEKLY' ? interval : 1)
            : `${base}${by ? `;BYMONTHDAY=${Number(by)}` : ''}`,
        }
      },
    ),
    rule(
      String.raw`${every}(!)?\s+(?:weekdays?|workdays?|working days?|werktage?|arbeitstage?|jours? ouvrés?|días? laborables?)`,
      ([, mark]) => ({ kind: mark ? 'completion' : 'calendar', rule: workdays }),
    ),
    rule(String.raw`${every}\s+weekends?`, () => calendar('FREQ=WEEKLY;BYDAY=SA,SU')),
    rule(
      String.raw`${every}(!)?\s+(?:(other|second|2nd|zweite[nrs]?|third|3rd|fourth|4th)\s+)?${list}`,
      ([, mark, n, days = '']) => ({
        kind: mark ? 'completion' : 'calendar',
        rule: weekly(days, intervalOf(n)),
      }),
    ),
    // every first monday, last friday of the month
    rule(
      String.raw`(?:${every}\s+|the\s+)?${position}\s+(${weekday})\s+(?:of|in) (?:the|each|every) month`,
      ([, n = '', day = '']) =>
        calendar(`FREQ=MONTHLY;BYDAY=${positionOf(n)}${daysOf(day).join('')}`),
    ),
    rule(String.raw`${every}\s+(first|last)\s+(${weekday})`, ([, n = '', day = '']) =>
      calendar(`FREQ=MONTHLY;BYDAY=${positionOf(n)}${daysOf(day).join('')}`),
    ),
    rule(
      String.raw`${every}\s+(\d{1,2})(?:st|nd|rd|th)(?:\s+of (?:the|each|every) month)?`,
      ([, day = '']) =>
        isMonthDay(day) ? calendar(`FREQ=MONTHLY;BYMONTHDAY=${Number(day)}`) : undefined,
    ),
    // the 1st of every month, last day of each month
    rule(
      String.raw`(?:on\s+)?(?:the\s+)?(?:(first|\d{1,2}(?:st|nd|rd|th))(?:\s+day)?|last\s+day)\s+of\s+(?:each|every)\s+month`,
      ([, day]) => {
        const monthDay = day?.toLowerCase() === 'first' ? 1 : day && Number.parseInt(day, 10)
        if (day && !isMonthDay(String(monthDay))) return undefined
        return calendar(`FREQ=MONTHLY;BYMONTHDAY=${monthDay ?? -1}`)
      },
    ),
    rule(
      String.raw`${every}\s+(?:(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(${month})|(${month})\s+(\d{1,2})(?:st|nd|rd|th)?)(?!\p{L})`,
      ([, before, name, otherName, after]) => {
        const day = before ?? after ?? ''
        const byMonth = months.get((name ?? otherName ?? '').toLowerCase())
        return isMonthDay(day)
          ? calendar(`FREQ=YEARLY;BYMONTH=${byMonth};BYMONTHDAY=${Number(day)}`)
          : undefined
      },
    ),
    // 3 times a week, twice a month, 3x/week
    rule(
      String.raw`(?:(once)|(twice)|(\d{1,2}|${anyOf(numbers.keys())})(?:\s?x|\s?×|\s+times|mal|\s+mal|\s+fois|\s+veces))(?:\s?/\s?|\s+(?:an?|per|each|every|pro|die|in der|im|par|por|a la|al)\s+)(?:${unit})`,
      ([, once, twice, n = '', ...rest]) => {
        const [, frequency = '', size = 1] =
          units[rest.findIndex((each) => each !== undefined)] ?? []
        const times = once ? 1 : twice ? 2 : readNumber(n)
        if (times < 1 || times > mostTimes) return undefined
        return { kind: 'times', rule: `FREQ=${frequency}${intervalPart(size)}`, times }
      },
    ),
    rule(String.raw`(${anyOf(Object.keys(adverbs))})`, ([, word = '']) =>
      calendar(adverbs[word.toLowerCase()] ?? ''),
    ),
    // "gym mon wed fri": several days are a repetition, but not with "do" or "so", which are words as well
    rule(list, ([, days = '']) =>
      daysOf(days).length > 1 && !/(?<!\p{L})\p{Ll}{2}(?!\p{L})/u.test(days)
        ? calendar(weekly(days))
        : undefined,
    ),
    rule(
      String.raw`(?:on\s+)?((?:${anyOf([...weekdays.keys()].filter((word) => word.endsWith('day')))})s)`,
      ([, days = '']) => calendar(weekly(days)),
    ),
  ]
}

const rule = (source: string, read: Rule[1]): Rule => [new RegExp(source, 'iuy'), read]
const calendar = (text: string): Repeat => ({ kind: 'calendar', rule: text })
const intervalPart = (interval: number) => (interval > 1 ? `;INTERVAL=${interval}` : '')

/** False for "check every 50th line", which is not about days of the month. */
const isMonthDay = (day: string) => Number(day) >= 1 && Number(day) <= 31

const positionOf = (word: string) =>
  positions[word.toLowerCase()] ?? Number(/^\d/.exec(word)?.[0] ?? 1)

function intervalOf(word = '1') {
  const lower = word.toLowerCase()
  if (lower === 'other' || lower.startsWith('zweite')) return 2
  return positions[lower] ?? (numbers.get(lower) || Number(/^\d+/.exec(lower)?.[0] ?? 1))
}
