// Formats the statements as files for reading: `npm run sql` writes them to `server/sql`, one file per feature.

const width = 100

/** The text of each file by its name. A family of variants, such as `tasks.list open`, has its own file. */
export function dumpStatements(statements: Map<string, string>): Map<string, string> {
  const familyOf = (name: string) => name.split(' ', 1)[0] ?? ''
  const families = new Set([...statements.keys()].filter((name) => /\s/.test(name)).map(familyOf))
  const fileOf = (name: string) =>
    families.has(familyOf(name)) ? familyOf(name) : (name.split('.', 1)[0] ?? '')
  const inOrder = [...statements].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const files = Map.groupBy(inOrder, ([name]) => `${fileOf(name)}.sql`)
  return new Map([...files].map(([file, found]) => [file, header + found.map(show).join('\n')]))
}

const header = '-- Written by `npm run sql` from the statements in `server/src`. Do not edit.\n\n'

const show = ([name, text]: [string, string]) => `-- ${name}\n${format(text)};\n`

/** Keeps the line breaks of the statement, and adds some to long lines. */
function format(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map(indentOf))
  return lines.flatMap((line) => wrap(line.slice(margin).trimEnd())).join('\n')
}

const indentOf = (line: string) => line.length - line.trimStart().length

/** Breaks a long line between its pieces, indented by its open parentheses. */
function wrap(line: string) {
  const indent = indentOf(line)
  const lines: string[] = []
  let current = ' '.repeat(indent)
  let depth = 0
  for (const piece of piecesOf(line.trimStart())) {
    const isFull = current.length + piece.text.trimEnd().length > width
    if (isFull && current.trim() !== '') {
      lines.push(current.trimEnd())
      current = ' '.repeat(indent + 2 * Math.max(depth, 1))
    }
    current += current.trim() === '' ? piece.text.trimStart() : piece.text
    depth += piece.depth
  }
  return [...lines, current.trimEnd()]
}

// A literal is one token, so it is not broken.
const tokens =
  /'(?:[^']|'')*'|"[^"]*"|(?<comma>, *)|(?<begin>\(select | (?=(?:from|then|else|and|or) ))|[^\s'",()]+|./g

/** A piece ends after a comma, and before a sub-select or one of these keywords. */
function piecesOf(line: string) {
  let last = { text: '', depth: 0 }
  const pieces = [last]
  const begin = () => pieces.push((last = { text: '', depth: 0 }))
  for (const { 0: token, groups } of line.matchAll(tokens)) {
    if (groups?.begin) begin()
    last.text += groups?.comma ? ', ' : token
    last.depth += token.startsWith('(') ? 1 : token === ')' ? -1 : 0
    if (groups?.comma) begin()
  }
  return pieces
}
