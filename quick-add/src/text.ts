// Words in a line: where one ends, what stands before it and after it.

export type Part = { start: number; end: number }

/** Replaces parts by a filler of the same length, so that positions stay valid. */
export function mask(line: string, parts: readonly Part[], filler: string) {
  let masked = line
  for (const { start, end } of parts) {
    masked = masked.slice(0, start) + filler.repeat(end - start) + masked.slice(end)
  }
  return masked
}

/** Stands for text that must not be parsed: quoted, or returned to the title by the user. */
export const hidden = '\uE000'

/** The match of a sticky expression at a position, or null. */
export function matchAt(pattern: RegExp, line: string, index: number) {
  pattern.lastIndex = index
  return pattern.exec(line)
}

const wordStart = /(?<![\p{L}\p{N}_\uE000#@/.:$€'’-]|\p{N},)[\p{L}\p{N}~½@]/gu

export const wordStarts = (line: string) => [...line.matchAll(wordStart)].map(({ index }) => index)

const wordEnd = /(?![\p{L}\p{N}_%€$½\uE000]|['’]\p{L}|[-–/:.,]\p{N}|[-/]\p{L})/uy

/** False inside a word, before "'s", and where a number goes on. */
export const endsWord = (line: string, index: number) => matchAt(wordEnd, line, index) !== null

/** The word before a position, in lower case, if only spaces separate them. */
export const wordBefore = (line: string, index: number) =>
  /([\p{L}\p{N}'’.]+)\s+$/u.exec(line.slice(0, index))?.[1]?.toLowerCase() ?? ''

export const wordAfter = (line: string, index: number) =>
  /^\s+([\p{L}\p{N}\uE000][^\s,.;:)]*)/u.exec(line.slice(index))?.[1] ?? ''

/** An expression for any of the words, longest first, so that "september" is not read as "sep". */
export const anyOf = (words: Iterable<string>) =>
  [...words].toSorted((one, other) => other.length - one.length).join('|')
