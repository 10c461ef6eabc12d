// The times at which a program wrote a file or an event.
import { decodeText, parseLine, splitLines } from './lines.ts'

const lineFeed = 10
const carriageReturn = 13
const colon = 58
const semicolon = 59
const names = ['DTSTAMP', 'CREATED', 'LAST-MODIFIED'].map((name) => new TextEncoder().encode(name))

/** The file without these times: Google and Exchange write the time of the export into every event. */
export function withoutStamps(bytes: Uint8Array) {
  const kept = new Uint8Array(bytes.length)
  let length = 0
  let isDropped = isStamp(bytes, 0)
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!
    const isBreak = byte === lineFeed || byte === carriageReturn
    if (!isDropped || isBreak) {
      kept[length] = byte
      length += 1
    }
    if (byte === lineFeed) isDropped = isStamp(bytes, i + 1)
  }
  return kept.subarray(0, length)
}

const isStamp = (bytes: Uint8Array, start: number) =>
  names.some((name) => {
    const end = bytes[start + name.length]
    if (end !== colon && end !== semicolon) return false
    return name.every((code, i) => upperCase(bytes[start + i]!) === code)
  })

const upperCase = (code: number) => (code >= 97 && code <= 122 ? code - 32 : code)

const isChange = (name: string) => name === 'LAST-MODIFIED' || name === 'DTSTAMP'
const instant = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** The time of the last change that the file states, in milliseconds; 0 if it states none. */
export function lastChangeOf(bytes: Uint8Array) {
  let last = 0
  for (const line of splitLines(decodeText(bytes))) {
    const property = parseLine(line, isChange)
    if (!property || property.value.length !== 16) continue
    const [, year, month, day, hour, minute, second] = instant.exec(property.value) ?? []
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if (time > last) last = time
  }
  return last
}
