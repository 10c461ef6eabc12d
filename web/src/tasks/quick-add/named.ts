// `#work` and `@legal`: spaces, projects and labels by name, or by a prefix of it.
import type { Known, Token } from './parse.ts'

export type Named = { id: string; name: string; color: string | null }

type Place = { kind: 'space' | 'project' | 'label'; value: Named }

export function findNamed(line: string, known: Known): Token[] {
  const places: Place[] = [
    ...known.spaces.map((value): Place => ({ kind: 'space', value })),
    ...known.projects.map((value): Place => ({ kind: 'project', value })),
  ]
  const labels = known.labels.map((value): Place => ({ kind: 'label', value }))
  const tokens: Token[] = []
  let hasPlace = false
  for (const { 0: sign, index } of line.matchAll(/(?<!\S)[#@](?=[\p{L}\d])/gu)) {
    const after = line.slice(index + 1)
    const found = bestOf(sign === '#' ? places : labels, after)
    if (sign === '#' && (!found || hasPlace)) continue
    const length = 1 + (found?.length ?? /^\S+/.exec(after)?.[0].length ?? 0)
    const at = { text: line.slice(index, index + length), start: index, end: index + length }
    if (found) tokens.push({ ...found.of, ...at })
    else tokens.push({ kind: 'new label', value: at.text.slice(1), ...at })
    hasPlace ||= sign === '#'
  }
  return tokens
}

type Found<Of> = { of: Of; length: number }

/** The longest full name that follows, or else the only or first one with that prefix. */
function bestOf<Of extends { value: Named }>(all: Of[], after: string) {
  const lower = after.toLowerCase()
  const whole = all
    .map((of): Found<Of> => ({ of, length: lengthOf(of.value.name, lower) }))
    .filter(({ length }) => length > 0)
    .toSorted((one, other) => other.length - one.length)[0]
  if (whole) return whole
  const word = /^\S+/.exec(lower)?.[0] ?? ''
  const begun = all.find(({ value }) => plain(value.name).startsWith(plain(word)))
  return begun && { of: begun, length: word.length }
}

/** How much of the text the name covers, with its spaces or with hyphens for them. */
function lengthOf(name: string, text: string) {
  const forms = [name.toLowerCase(), plain(name), name.toLowerCase().replaceAll(/\s+/g, '')]
  const form = forms.find((each) => text.startsWith(each) && !/^\S/.test(text.slice(each.length)))
  return form?.length ?? 0
}

const plain = (name: string) => name.toLowerCase().replaceAll(/\s+/g, '-')
