// Formats SQL for reading: clauses on their own lines, sub-selects indented. Changes only white space.

const width = 100

type Token = { text: string; spaced: boolean }
/** Parentheses, or `case … end`, with what is inside. */
type Group = { open: string; inside: Node[]; close: string; spaced: boolean }
type Node = Token | Group

export const formatSql = (text: string) => print(parse(text), 0).join('\n')

// A literal is one token, so it is not broken. `end` is one also before a cast.
const tokens = /(?<space>\s*)(?<text>--.*|[()]|,|end(?=::)|(?:'(?:[^']|'')*'|"[^"]*"|[^\s'",()])+)/g

function parse(text: string): Node[] {
  const root: Node[] = []
  const open: Group[] = []
  for (const { groups } of text.matchAll(tokens)) {
    const { space = '', text: token = '' } = groups ?? {}
    const inside = open.at(-1)?.inside ?? root
    const spaced = space !== '' && inside.length > 0
    const current = open.at(-1)
    if (token === '(' || token === 'case') {
      const group = { open: token, inside: [], close: token === '(' ? ')' : 'end', spaced }
      inside.push(group)
      open.push(group)
    } else if (current && token === current.close) {
      open.pop()
    } else {
      inside.push({ text: token, spaced })
    }
  }
  return root
}

const isGroup = (node: Node | undefined): node is Group => node !== undefined && 'inside' in node
const textOf = (node: Node | undefined) => (node && !isGroup(node) ? node.text : '')
const isComma = (node: Node | undefined) => textOf(node) === ','
const isComment = (node: Node): boolean =>
  isGroup(node) ? node.inside.some(isComment) : node.text.startsWith('--')

const padding = ({ open }: Group) => (open === '(' ? '' : ' ')

/** The text on one line. */
const flat = (nodes: readonly Node[]): string =>
  nodes
    .map((node, index) => {
      const space = node.spaced || isComma(nodes[index - 1]) ? ' ' : ''
      if (!isGroup(node)) return space + node.text
      return space + node.open + padding(node) + flat(node.inside) + padding(node) + node.close
    })
    .join('')
    .trim()

const fits = (nodes: readonly Node[], column: number) =>
  !nodes.some(isComment) && column + flat(nodes).length <= width

function print(nodes: Node[], indent: number): string[] {
  if (fits(nodes, indent)) return [' '.repeat(indent) + flat(nodes)]
  return split(nodes, startsClause).flatMap((clause) => printClause(clause, indent))
}

/** Fills lines with the items of a clause: the entries of a list, or conditions. */
function printClause(clause: Node[], indent: number): string[] {
  if (fits(clause, indent)) return [' '.repeat(indent) + flat(clause)]
  const hang = startsClause(clause, 0) ? indent + 2 : indent
  const lines = [' '.repeat(indent)]
  const last = () => lines.at(-1) ?? ''
  const write = (text: string) => lines.splice(-1, 1, last() + text)
  const startLine = (column: number) => lines.push(' '.repeat(column))

  for (const item of split(clause, startsItem)) {
    // After an item of several lines, the next one begins on a new line; a common table expression begins on the last.
    const isAfterLines = /^\s*(?:\)|end\b)/.test(last())
    if (isAfterLines && textOf(clause[0]) !== 'with') startLine(hang)
    const space = last().trim() === '' ? '' : ' '
    if (fits(item, last().length + space.length)) {
      write(space + flat(item))
      continue
    }
    if (item[0] !== clause[0] && !isAfterLines) startLine(hang)
    for (const node of item) writeNode(node, node === item[0] || node.spaced)
  }
  return lines.filter((line) => line.trim() !== '')

  function writeNode(node: Node, spaced: boolean) {
    const space = spaced && last().trim() !== '' ? ' ' : ''
    if (!isGroup(node)) {
      write(space + node.text)
      if (isComment(node)) startLine(hang)
    } else if (fits([node], last().length + space.length)) {
      write(space + flat([node]))
    } else {
      const start = last().search(/\S|$/)
      write(space + node.open)
      lines.push(...print(node.inside, start + 2))
      startLine(start)
      write(node.close)
    }
  }
}

/** Cuts before each node that starts a part. */
function split(nodes: Node[], starts: (nodes: Node[], index: number) => boolean): Node[][] {
  const parts: Node[][] = []
  for (const [index, node] of nodes.entries()) {
    if (index === 0 || starts(nodes, index)) parts.push([])
    parts.at(-1)?.push(node)
  }
  return parts
}

const clauses =
  /^(?:with|select|from|where|group by|having|order by|limit|offset|union|insert into|update|values|set|delete from|returning|on conflict|(?:left |cross )?join|for (?:no key )?update|for (?:key )?share|when|else)\b/
/** Before one of those words, these make it a part of the clause that has begun. */
const unfinished = /^(?:distinct|left|cross|delete|for|no|key|do|as|with)$/

function startsClause(nodes: Node[], index: number) {
  const words = nodes
    .slice(index, index + 4)
    .map(textOf)
    .join(' ')
  return clauses.test(words) && !unfinished.test(textOf(nodes[index - 1]))
}

function startsItem(nodes: Node[], index: number) {
  const word = textOf(nodes[index])
  const isCondition = word === 'or' || (word === 'and' && textOf(nodes[index - 2]) !== 'between')
  return isCondition || isComma(nodes[index - 1])
}
