// Parses a line as a task: `Send the contract fri 5pm ~45m !high #work @legal`. Each recognised token keeps
// its position in the line, so that it can be shown and removed.
import type { TaskPriority } from '@daywright/contract'
import { type DateFinder, findDue } from './due.ts'
import { type Minutes, readMinutes } from './minutes.ts'
import { type Named, findNamed } from './named.ts'

export type Known = {
  now: Date
  zone: string
  spaces: Named[]
  projects: (Named & { spaceId: string | null })[]
  labels: Named[]
  /** Undefined until it has been loaded: dates then stay in the title. */
  findDates?: DateFinder | undefined
}

export type Token = { text: string; start: number; end: number } & (
  | { kind: 'due' | 'start'; value: Date }
  | { kind: 'estimate'; value: Minutes }
  | { kind: 'priority'; value: TaskPriority }
  | { kind: 'space' | 'project' | 'label'; value: Named }
  | { kind: 'new label'; value: string }
)

export type Line = { title: string; tokens: Token[] }

/** `ignored` are the texts of tokens that the user removed: they are part of the title again. */
export function parseLine(line: string, known: Known, ignored: readonly string[] = []): Line {
  const quoted = [...line.matchAll(/"[^"]*"|“[^”]*”/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }))
  const tokens: Token[] = []
  let rest = blank(line, quoted)
  const take = (found: Token[]) => {
    const wanted = found.filter(({ text }) => !ignored.includes(text))
    tokens.push(...wanted)
    // A removed token must not be parsed as something else either.
    rest = blank(rest, found)
  }
  take(firstOf(findPriorities(rest)))
  take(findNamed(rest, known))
  take(firstOf(findEstimates(rest)))
  if (known.findDates) take(findDue(rest, { ...known, findDates: known.findDates }))
  const inOrder = tokens.toSorted((one, other) => one.start - other.start)
  return { title: titleOf(line, inOrder, quoted), tokens: inOrder }
}

const firstOf = (tokens: Token[]) => tokens.slice(0, 1)

const priorities: Record<string, TaskPriority> = {
  '!': 'medium',
  '!!': 'high',
  '!!!': 'urgent',
  '!1': 'urgent',
  '!2': 'high',
  '!3': 'medium',
  '!4': 'low',
  '!low': 'low',
  '!medium': 'medium',
  '!med': 'medium',
  '!high': 'high',
  '!urgent': 'urgent',
}

function findPriorities(line: string): Token[] {
  return [...line.matchAll(/(?<!\S)!\S*/g)].flatMap(({ 0: text, index }) => {
    const value = priorities[text.toLowerCase()]
    return value ? [{ kind: 'priority', value, text, start: index, end: index + text.length }] : []
  })
}

function findEstimates(line: string): Token[] {
  const durations =
    /(?<!\S)~?\d+(?:[.,]\d+)?\s?(?:hours?|hrs?|h|minutes?|mins?|m)(?:\s?\d+\s?m?(?:in)?)?(?!\S)/gi
  return [...line.matchAll(durations)].flatMap(({ 0: text, index }) => {
    // "in 2h" is a time, and "2 m" may be metres.
    if (/\b(in|within|after)\s+$/i.test(line.slice(0, index))) return []
    const value = readMinutes(text)
    return value === undefined
      ? []
      : [{ kind: 'estimate' as const, value, text, start: index, end: index + text.length }]
  })
}

type Part = { start: number; end: number }

/** The same length, so that positions stay valid. */
function blank(line: string, parts: Part[]) {
  let blanked = line
  for (const { start, end } of parts) {
    blanked = blanked.slice(0, start) + ' '.repeat(end - start) + blanked.slice(end)
  }
  return blanked
}

/** The words that are no token; quoted text stays, without its quotes. */
function titleOf(line: string, tokens: Token[], quoted: Part[]) {
  const isIn = (parts: Part[], at: number) =>
    parts.some(({ start, end }) => start <= at && at < end)
  return [...line.matchAll(/[^]/g)]
    .map(({ 0: sign, index }) => {
      const isQuoted = isIn(quoted, index)
      if (isQuoted) return '"“”'.includes(sign) ? '' : sign
      return isIn(tokens, index) ? ' ' : sign
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
