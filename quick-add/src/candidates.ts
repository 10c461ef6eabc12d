// Finds every part of a line that could be a day, a time or a duration, and keeps those that are meant as one.
import { matchTime, type FoundTime } from './clock-times.ts'
import { matchDays, type FoundDay } from './days.ts'
import { matchDuration, type FoundDuration } from './durations.ts'
import { mask, matchAt, wordAfter, wordBefore, wordStarts } from './text.ts'
import { claimingWords, linkingWords, numberedThings, type Vocabulary } from './vocabulary.ts'

export type Lead = { kind: 'due' | 'start' | 'on'; word: string }

/** `start` includes the lead word ("by", "from"), `at` does not. */
export type Candidate = { start: number; at: number; end: number; lead?: Lead } & (
  | ({ kind: 'day' } & FoundDay)
  | ({ kind: 'time' } & FoundTime)
  | { kind: 'moment'; value: Date }
  | ({ kind: 'duration' } & FoundDuration)
)

const leads: [Lead['kind'], RegExp][] = [
  [
    'start',
    /(?:^|[\s(])(not before|starting(?: from| on)?|starts?|after|from|ab(?: dem)?|nach(?: dem)?|vo[nm]|frühestens|à partir d[eu]|dès(?: le)?|après(?: le)?|du|desde(?: el)?|a partir del?|después del?)\s+$/iu,
  ],
  [
    'due',
    /(?:^|[\s(])(due(?: by| on)?|no later than|deadline|by|before|until|till|for|bis(?: zum| spätestens| am)?|spätestens|fällig(?: am)?|zum|vor|für|avant(?: le)?|d['’]ici(?: le| au)?|pour(?: le)?|jusqu['’](?:au|à)|antes del?|para(?: el)?|hasta(?: el)?)[\s:]+$/iu,
  ],
  ['on', /(?:^|[\s(])(on|am|den|le|el|au|al|to)\s+$/iu],
]

/** Lead words that count only if no noun follows: "for Monday" is a date, "for Monday meeting" is not. */
const weakLeads = new Set(['for', 'für', 'pour', 'para'])

const durationLead =
  /(?:^|\s)((?:takes?|for|lasting|dauert|für|pendant|durante)\s+(?:about |around |ca\.? )?|about\s+|around\s+|approx\.?\s+|circa\s+|ca\.?\s+|est\.?\s+|estimate:?\s+)$/iu

const untilMoment = /(?:in|within|dans|en|dentro de)\s+/iuy
const timestamp = /[12]\d{3}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/y

export function findCandidates(
  line: string,
  now: Date,
  today: Temporal.PlainDate,
  words: Vocabulary,
) {
  const found: Candidate[] = []
  let end = 0
  for (const at of wordStarts(line)) {
    if (at < end) continue
    const before = found.at(-1)
    const isBesideDay = before?.kind === 'day' && /^[\s,]*$/.test(line.slice(before.end, at))
    const isFrench =
      words.language === 'fr' || /(demain|aujourd['’]hui|di)$/i.test(line.slice(0, before?.end))
    const time = matchTime(line, at, isBesideDay, isFrench)
    const candidate = candidateAt(line, at, time, now, today, words)
    if (!candidate) continue
    found.push(candidate)
    end = candidate.end
  }
  const lengths = found.filter(({ kind }) => kind === 'duration')
  const bare = mask(line, lengths, ' ')
  return found.filter((each) => isMeant(line, each, found, bare))
}

function candidateAt(
  line: string,
  at: number,
  time: FoundTime | undefined,
  now: Date,
  today: Temporal.PlainDate,
  words: Vocabulary,
): Candidate | undefined {
  const moment = matchMoment(line, at, now)
  const [longest] = [
    moment && { kind: 'moment' as const, ...moment },
    spread('day', matchDays(line, at, today, words)),
    spread('time', time),
    spread('duration', matchDuration(line, at)),
  ]
    .filter((each) => each !== undefined)
    .toSorted((one, other) => other.end - one.end)
  if (!longest) return undefined
  const before = line.slice(0, at)
  if (longest.kind === 'duration') {
    const lead = durationLead.exec(before)?.[1] ?? ''
    const start = at - lead.length
    return { ...longest, isMarked: longest.isMarked || /^(takes?|for|est)/i.test(lead), at, start }
  }
  for (const [kind, pattern] of leads) {
    const match = pattern.exec(before)
    const word = match?.[1]
    if (word === undefined) continue
    const start = before.length - match![0].length + match![0].indexOf(word)
    return { ...longest, at, start, lead: { kind, word: word.toLowerCase() } }
  }
  return { ...longest, at, start: at }
}

function spread<Kind extends string, Found>(kind: Kind, found: Found | undefined) {
  return found && { kind, ...found }
}

/** Matches "in 2 hours", or an ISO 8601 timestamp. */
function matchMoment(line: string, at: number, now: Date) {
  const stamp = matchAt(timestamp, line, at)
  if (stamp) {
    const value = new Date(stamp[0])
    return Number.isNaN(value.getTime()) ? undefined : { value, end: at + stamp[0].length }
  }
  const lead = matchAt(untilMoment, line, at)
  const length = lead && matchDuration(line, at + lead[0].length)
  if (!length || /^\d+\s?(d|t|j)/i.test(line.slice(at + lead[0].length))) return undefined
  return { value: new Date(now.getTime() + length.minutes * 60_000), end: length.end }
}

/** `bare` is the line without its durations, so that the day and the time of "fri ~45m 5pm" are adjacent in it. */
function isMeant(line: string, candidate: Candidate, all: Candidate[], bare: string) {
  const { start, end, lead, kind } = candidate
  const isAfterAnother = all.some(
    (other) => /^[\s,]*$/.test(line.slice(other.end, start)) && other.end <= start,
  )
  const previous = isAfterAnother ? '' : wordBefore(line, start)
  if (!lead && claimingWords.has(previous)) return false
  if (lead?.word === 'to' && !isAfterAnother) return false
  const isNumber = kind !== 'duration' && /^\d/.test(line.slice(start))
  if (isNumber && numberedThings.has(previous.replace('.', ''))) return false
  const next = wordAfter(line, end)
  const isFollowed = isNoun(line, end, next, all)
  const isFirst = line.slice(0, start).trim() === ''
  if (kind === 'duration') {
    if (/^(before|after|later|early|earlier|ago|old|long)$/i.test(next)) return false
    return candidate.isMarked || isFirst || !isFollowed
  }
  if (lead && weakLeads.has(lead.word) && isFollowed) return false
  if (kind === 'moment') return isFirst || !isFollowed
  if (kind === 'time') {
    const isBeside = all.some((other) => other.kind === 'day' && areBeside(bare, other, candidate))
    if (candidate.needs === 'day') return isBeside
    return candidate.needs !== 'room' || lead !== undefined || isBeside || isFirst || !isFollowed
  }
  if (candidate.needs === 'lead' && !lead) return false
  if (candidate.needs === 'room' && isFollowed && (!lead || lead.kind === 'on')) return false
  return lead !== undefined || !isName(line, candidate, next, isFollowed, isFirst)
}

/** Whether the next word is one that the candidate may describe: "battery" in "2h battery". */
function isNoun(line: string, end: number, next: string, all: Candidate[]) {
  if (next === '' || linkingWords.has(next.toLowerCase())) return false
  const at = end + line.slice(end).search(/\S/)
  return !all.some(({ start, at: own }) => start === at || own === at)
}

/** Whether a day is part of a name ("Sat Patel", "Sunday Times"): it and the next word are capitalised. */
function isName(line: string, day: Candidate, next: string, isFollowed: boolean, isFirst: boolean) {
  const word = line.slice(day.at, day.end)
  const isEnglish = /^[A-Z][a-z]{2,4}$|^[A-Z][a-z]+day$/.test(word)
  const isShort = day.kind === 'day' && day.isShort
  return isEnglish && isFollowed && (isShort || !isFirst) && /^\p{Lu}\p{Ll}/u.test(next)
}

/** Whether only spaces and commas separate the two. */
function areBeside(line: string, one: Candidate, other: Candidate) {
  const [first, second] = one.start < other.start ? [one, other] : [other, one]
  return /^[\s,]*$/.test(line.slice(first.end, second.start))
}
