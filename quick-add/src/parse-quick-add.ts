// Parses a line as a task: `Send the contract fri 5pm ~45m !high #work @legal`. What is recognised keeps its
// position in the line, so that it can be marked there and returned to the title.
import type { TaskPriority } from '@daywright/contract'
import { findCandidates } from './candidates.ts'
import { dueGroup, dueOf, eventOf, groupDates, isStart, startOf, type DateGroup } from './dates.ts'
import { isEstimate } from './durations.ts'
import { findNames, type Named, type Names, type Project } from './names.ts'
import { findBarePriority, findMarkedPriority, type FoundPriority } from './priorities.ts'
import { findRepeat, type FoundRepeat, type Repeat } from './repeats.ts'
import { endsWord, hidden, mask, type Part } from './text.ts'
import { vocabularyOf } from './vocabulary.ts'
import { dayOf } from './zoned-time.ts'

export type Event = { start: Date; end: Date }

type Value =
  | { kind: 'due' | 'start'; value: Date }
  /** `event`: a fixed time. `period`: work can start on its first day and is due on its last. */
  | { kind: 'event' | 'period'; value: Event }
  | { kind: 'estimate'; value: number }
  | { kind: 'priority'; value: TaskPriority }
  | { kind: 'space' | 'label'; value: Named }
  | { kind: 'project'; value: Project }
  | { kind: 'new label'; value: string }
  | { kind: 'repeat'; value: Repeat }

export type Span = { text: string; start: number; end: number } & Value

export type Context = {
  now: Date
  /** The user's time zone */
  zone: string
  /** Decides abbreviations and the order of 5/6; whole words are recognised in every locale. */
  locale: string
  names: Names
  /** Texts of spans that the user returned to the title. */
  ignored?: readonly string[]
  /** Kinds that the caller cannot store: they stay in the title. */
  keepInTitle?: readonly Span['kind'][]
}

export type QuickAdd = {
  title: string
  spans: Span[]
  dueAt?: Date
  startAfter?: Date
  estimateMinutes?: number
  priority?: TaskPriority
  space?: Named
  project?: Project
  labels: Named[]
  newLabels: string[]
  /** A fixed time. `startAfter`, `dueAt` and `estimateMinutes` say the same for a caller without events. */
  event?: Event
  repeat?: Repeat
}

export function parseQuickAdd(line: string, context: Context): QuickAdd {
  const { now, zone, names, ignored = [], keepInTitle = [] } = context
  const words = vocabularyOf(context.locale)
  const clock = { now, zone, today: dayOf(now, zone) }
  const quoted = partsOf(line, /"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»/g)
  const found: (Part & Value)[] = []
  let rest = mask(line, [...quoted, ...ignored.flatMap((text) => placesOf(line, text))], hidden)
  const take = (...parts: (Part & Value)[]) => {
    found.push(...parts)
    rest = mask(rest, parts, ' ')
  }

  const takePriority = (all: FoundPriority[]) =>
    take(...all.map((each) => ({ kind: 'priority' as const, ...each })))

  const marked = findMarkedPriority(rest)
  takePriority(marked)
  take(...findNames(rest, names))
  // An expression with the flags `iu` matches the long s as an s, but words are looked up in lower case, which keeps it.
  rest = rest.replaceAll('ſ', 's')
  const repeat = findRepeat(rest, words)
  if (repeat) rest = mask(rest, [repeat], ' ')
  const candidates = findCandidates(rest, now, clock.today, words)
  const length = candidates.find((each) => each.kind === 'duration' && isEstimate(each.minutes))
  if (length?.kind === 'duration') {
    take({
      kind: 'estimate',
      value: Math.round(length.minutes),
      start: length.start,
      end: length.end,
    })
  }
  let groups = groupDates(rest, candidates)
  if (repeat) {
    const own = groups.filter((group) => belongsTo(repeat, group, rest))
    take(...repeatSpans(repeat, own))
    groups = groups.filter((group) => !own.includes(group))
  }
  const minutes = found.find(({ kind }) => kind === 'estimate')?.value as number | undefined
  const due = dueGroup(groups)
  const start = groups.find(isStart)
  const event = due && eventOf(due, minutes, clock)
  if (event) take(...spansOf(due, { kind: 'event', value: event }, line))
  else if (due?.day?.isRange && !start) {
    const period = { start: startOf(due, clock), end: dueOf(due, clock) }
    take(...spansOf(due, { kind: 'period', value: period }, line))
  } else if (due) take(...spansOf(due, { kind: 'due', value: dueOf(due, clock) }, line))
  if (start) take(...spansOf(start, { kind: 'start', value: startOf(start, clock) }, line))
  if (marked.length === 0) takePriority(findBarePriority(rest))
  const spans = found
    .filter(({ kind }) => !keepInTitle.includes(kind))
    .toSorted((one, other) => one.start - other.start)
    .map((each) => ({ ...each, text: line.slice(each.start, each.end) }))

  return {
    title: titleOf(line, spans, quoted),
    spans,
    ...fieldsOf(spans),
  }
}

function fieldsOf(spans: Span[]) {
  const fields: Omit<QuickAdd, 'title' | 'spans'> = { labels: [], newLabels: [] }
  for (const { kind, value } of spans) {
    if (kind === 'due') fields.dueAt = value
    else if (kind === 'start') fields.startAfter = value
    else if (kind === 'estimate') fields.estimateMinutes = value
    else if (kind === 'priority') fields.priority = value
    else if (kind === 'space') fields.space = value
    else if (kind === 'project') fields.project = value
    else if (kind === 'label') fields.labels.push(value)
    else if (kind === 'new label') fields.newLabels.push(value)
    else if (kind === 'repeat') fields.repeat = value
    else if (kind === 'event') fields.event = value
    else if (kind === 'period') {
      fields.startAfter = value.start
      fields.dueAt = value.end
    }
  }
  const { event } = fields
  if (!event) return fields
  const length = (event.end.getTime() - event.start.getTime()) / 60_000
  return {
    startAfter: event.start,
    dueAt: event.end,
    ...(isEstimate(length) && { estimateMinutes: length }),
    ...fields,
  }
}

/** One span for the whole group, or several if other words separate its parts. */
function spansOf({ parts }: DateGroup, value: Value, line: string) {
  const spans: (Part & Value)[] = []
  for (const { start, end } of parts.toSorted((one, other) => one.start - other.start)) {
    const last = spans.at(-1)
    if (last && /^[\s,]*$/.test(line.slice(last.end, start))) last.end = end
    else spans.push({ start, end, ...value })
  }
  return spans
}

const until = /^(until|till|bis|hasta|jusqu)/

/** Whether a group belongs to the repetition: a time beside it, or a day after "from" or "until". */
function belongsTo(repeat: FoundRepeat, { day, time, lead, parts }: DateGroup, rest: string) {
  const [{ start } = repeat] = parts
  const end = parts.at(-1)!.end
  const isNear =
    start > repeat.start
      ? /^[\s,]*$/.test(rest.slice(repeat.end, start))
      : /^[\s,]*$/.test(rest.slice(end, repeat.start))
  if (day) return lead?.kind === 'start' || until.test(lead?.word ?? '')
  return isNear && time !== undefined && lead === undefined
}

function repeatSpans({ start, end, value }: FoundRepeat, own: DateGroup[]) {
  const repeat = { ...value }
  for (const { day, time, lead } of own) {
    if (time) repeat.time = clockOf(time.from)
    if (day && lead?.kind === 'start') repeat.startsOn = day.first.toString()
    else if (day) repeat.endsOn = day.last.toString()
  }
  const parts = [{ start, end }, ...own.flatMap((group) => group.parts)]
  return parts.map((part) => ({
    kind: 'repeat' as const,
    value: repeat,
    start: part.start,
    end: part.end,
  }))
}

const clockOf = (minutes: number) =>
  Temporal.PlainTime.from({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 })
    .toString()
    .slice(0, 5)

const partsOf = (line: string, pattern: RegExp) =>
  [...line.matchAll(pattern)].map(({ 0: text, index: start }) => ({
    start,
    end: start + text.length,
  }))

/** Every place where the text occurs as whole words. */
function placesOf(line: string, text: string) {
  const places: Part[] = []
  for (let start = line.indexOf(text); start >= 0; start = line.indexOf(text, start + 1)) {
    const end = start + text.length
    if (!/[\p{L}\p{N}]$/u.test(line.slice(0, start)) && endsWord(line, end))
      places.push({ start, end })
  }
  return places
}

/** The words that are in no span; quoted text stays, without its quotes. */
function titleOf(line: string, spans: Part[], quoted: Part[]) {
  const signs = quoted.flatMap(({ start, end }) => [
    { start, end: start + 1 },
    { start: end - 1, end },
  ])
  const title = mask(mask(line, signs, hidden), spans, ' ').replaceAll(hidden, '')
  if (spans.length === 0) return title.replaceAll(/\s+/g, ' ').trim()
  return title
    .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,;.])/g, '')
    .replaceAll(/^[\s,;:–-]+|[\s,;:–-]+$/g, '')
}
