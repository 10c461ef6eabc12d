// JSON of strangers. Node 26 can crash on invalid JSON that is nested some 7,500 levels deep: V8 writes beyond what it
// has allocated. Nothing that we accept is nested more than ten levels deep.
const deepest = 500
const quote = 0x22
const backslash = 0x5c
const isOpener = (code: number) => code === 0x5b || code === 0x7b
const isCloser = (code: number) => code === 0x5d || code === 0x7d

/** Throws a SyntaxError also if the text is nested too deep. */
export function parseForeignJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('Nested too deep')
  return JSON.parse(text)
}

/** Looks at a text only as far as it is valid; parsing it ends there, too. */
export function isTooDeep(text: string) {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === backslash) index += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (isOpener(code)) {
      depth += 1
      if (depth > deepest) return true
    } else if (isCloser(code)) depth -= 1
  }
  return false
}
