import { decodeText, parseLine, splitLines } from './lines.ts'

const dayMs = 86_400_000
const wanted = new Set(['BEGIN', 'END', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE'])
const isWanted = (name: string) => wanted.has(name)

/**
 * Whether all dates of the file are before `from`. False for a series or a duration, which imply further dates, and
 * for a date that cannot be read.
 */
export function isPast(bytes: Uint8Array, from: Date) {
  // One day is subtracted, since the dates may be in any time zone.
  const earliest = new Date(from.getTime() - dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  let isInZone = false
  let hasDate = false
  for (const line of splitLines(decodeText(bytes))) {
    const property = parseLine(line, isWanted)
    if (!property) continue
    const { name, value } = property
    if (name === 'BEGIN' || name === 'END') {
      // The definition of a time zone has dates and rules of its own.
      if (value.toUpperCase() === 'VTIMEZONE') isInZone = name === 'BEGIN'
      continue
    }
    if (isInZone) continue
    if (name !== 'DTSTART' && name !== 'DTEND') return false
    const date = value.slice(0, 8)
    if (!/^\d{8}$/.test(date) || date >= earliest) return false
    hasDate = true
  }
  return hasDate
}
