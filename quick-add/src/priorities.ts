import type { TaskPriority } from '@daywright/contract'
import { linkingWords } from './vocabulary.ts'
import { wordAfter } from './text.ts'

const priorities: Record<string, TaskPriority> = {
  '!': 'medium',
  '!!': 'high',
  '!!!': 'urgent',
  '!low': 'low',
  '!medium': 'medium',
  '!med': 'medium',
  '!high': 'high',
  '!urgent': 'urgent',
  asap: 'urgent',
}

const levels: TaskPriority[] = ['urgent', 'high', 'medium', 'low']

export type FoundPriority = { start: number; end: number; value: TaskPriority }

/** The first marked priority: `!high`, `!!`, `!1` or `!p1`. */
export const findMarkedPriority = (line: string) => findFirst(line, /(?<!\S)!\S*/g)

/** The first `p1` or `asap` that no noun follows: in "fix p1 bug" it describes the bug. */
export const findBarePriority = (line: string) =>
  findFirst(line, /(?<!\S)(?:p[1-4]|asap)(?=[\s,;.)]|$)/gi, standsAlone)

function findFirst(
  line: string,
  pattern: RegExp,
  isMeant: (line: string, start: number, end: number) => boolean = () => true,
): FoundPriority[] {
  for (const { 0: text, index: start } of line.matchAll(pattern)) {
    const word = text.toLowerCase()
    const value = priorities[word] ?? levels[Number(/^(?:!p?|p)([1-4])$/.exec(word)?.[1]) - 1]
    const end = start + text.length
    if (value && isMeant(line, start, end)) return [{ start, end, value }]
  }
  return []
}

function standsAlone(line: string, start: number, end: number) {
  const next = wordAfter(line, end)
  return next === '' || start === 0 || linkingWords.has(next.toLowerCase())
}
