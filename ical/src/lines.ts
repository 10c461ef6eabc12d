// The content lines of a file (RFC 5545, 3.1): unfolded, decoded, and split into name, parameters and value.

export type Property = { name: string; parameters: Record<string, string>; value: string }

/** No real property has more parameters. */
const mostParameters = 100

const carriageReturn = 13
const lineFeed = 10
const tab = 9
const space = 32
const quote = 34
const colon = 58
const semicolon = 59

/** The text of a file. Lines are unfolded before decoding, since a fold may lie inside a character. */
export function decodeText(bytes: Uint8Array) {
  return new TextDecoder().decode(unfold(bytes))
}

function unfold(bytes: Uint8Array) {
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]!
    const next = bytes[i + 1]
    if (byte === lineFeed && (next === space || next === tab)) {
      if (length > 0 && unfolded[length - 1] === carriageReturn) length -= 1
      i += 1
    } else {
      unfolded[length] = byte
      length += 1
    }
  }
  return unfolded.subarray(0, length)
}

export function* splitLines(text: string) {
  let position = 0
  while (position < text.length) {
    let end = text.indexOf('\n', position)
    if (end < 0) end = text.length
    yield text.slice(position, end)
    position = end + 1
  }
}

/** A line as a property; undefined if the line is malformed or its name is not wanted. */
export function parseLine(line: string, isWanted: (name: string) => boolean): Property | undefined {
  const nameEnd = line.search(/[:;]/)
  if (nameEnd < 1) return undefined
  const name = line.slice(0, nameEnd).trim().toUpperCase()
  if (!isWanted(name)) return undefined
  const parameters: Record<string, string> = {}
  let position = nameEnd
  for (let count = 0; line.charCodeAt(position) === semicolon; count += 1) {
    if (count === mostParameters) return undefined
    const equals = line.indexOf('=', position)
    if (equals < 0) return undefined
    const key = line
      .slice(position + 1, equals)
      .trim()
      .toUpperCase()
    const end = findParameterEnd(line, equals + 1, key)
    if (end === undefined) return undefined
    parameters[key] = line
      .slice(equals + 1, end)
      .replaceAll('"', '')
      .trim()
    position = end
  }
  return { name, parameters, value: line.slice(position + 1).trim() }
}

function findParameterEnd(line: string, start: number, key: string) {
  let isQuoted = false
  for (let i = start; i < line.length; i += 1) {
    const code = line.charCodeAt(i)
    if (code === quote) isQuoted = !isQuoted
    if (isQuoted || (code !== colon && code !== semicolon)) continue
    // Microsoft writes TZID=tzone://Microsoft/Utc without quotes.
    const isPartOfUrl = code === colon && key === 'TZID' && line.startsWith('//', i + 1)
    if (!isPartOfUrl) return i
  }
  return undefined
}

/** A value of type TEXT without its escapes. */
export const unescapeText = (value: string) =>
  value.replace(/\\([nN\\;,])/g, (_, escaped: string) =>
    escaped.toLowerCase() === 'n' ? '\n' : escaped,
  )
