import { decodeText, splitLines } from './lines.ts'
import { joinLines, linesOf, type WrittenEvent } from './write-calendar.ts'

/** Properties that we write only if the file lacks them, because another program may have changed them. */
const theirs = new Set(['CREATED', 'STATUS', 'TRANSP', 'CLASS'])

/**
 * The file with our times and texts, and everything else as another program has left it: alarms, guests, a
 * location. Undefined if the file has become a series or several events, which we do not write.
 */
export function mergeEvent(file: Uint8Array, event: WrittenEvent): string | undefined {
  const ours = linesOf(event).slice(1, -1)
  const replaced = new Set(['DURATION', 'SEQUENCE', 'DESCRIPTION', 'URL', ...ours.map(nameOf)])
  const merged: string[] = []
  const open: string[] = []
  const kept = new Set<string>()
  let events = 0
  let sequence = 0
  for (const raw of splitLines(decodeText(file))) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const name = nameOf(line)
    if (name === 'END' && open.at(-1) === 'VEVENT') {
      merged.push(...ours.filter((each) => !kept.has(nameOf(each))).map(aboveTheirs))
    }
    if (name === 'BEGIN') open.push(valueOf(line))
    else if (name === 'END') open.pop()
    const isOfEvent = open.at(-1) === 'VEVENT'
    if (name === 'BEGIN' && isOfEvent) events += 1
    else if (isOfEvent) {
      if (seriesNames.has(name)) return undefined
      if (name === 'SEQUENCE') sequence = Number(valueOf(line)) || 0
      if (theirs.has(name)) kept.add(name)
      else if (replaced.has(name)) continue
    }
    if (line !== '') merged.push(line)
  }
  return events === 1 && open.length === 0 ? joinLines(merged) : undefined

  /** Makes SEQUENCE higher than in the file: programs ignore a version with a lower number than they have. */
  function aboveTheirs(line: string) {
    if (nameOf(line) !== 'SEQUENCE') return line
    return `SEQUENCE:${Math.max(Number(valueOf(line)), sequence + 1)}`
  }
}

const seriesNames = new Set(['RRULE', 'RDATE', 'RECURRENCE-ID'])
const nameOf = (line: string) => (/^[^:;]*/.exec(line)?.[0] ?? '').toUpperCase()
const valueOf = (line: string) =>
  line
    .slice(line.indexOf(':') + 1)
    .trim()
    .toUpperCase()
