// Names that complete the word with `#` or `@` before the caret.

import type { Named, Names } from './names.ts'

export type Suggestion = Named & { kind: 'space' | 'project' | 'label' }
export type Completion = { from: number; to: number; sign: string; found: Suggestion[] }

const most = 6

export function completionAt(text: string, caret: number, names: Names): Completion | undefined {
  const match = /(?<!\S)([#@])([^\s#@]*)$/.exec(text.slice(0, caret))
  if (!match) return undefined
  const [, sign = '', word = ''] = match
  const all: Suggestion[] =
    sign === '#'
      ? [
          ...names.spaces.map((each) => ({ ...each, kind: 'space' as const })),
          ...names.projects.map((each) => ({ ...each, kind: 'project' as const })),
        ]
      : names.labels.map((each) => ({ ...each, kind: 'label' as const }))
  const lower = word.toLowerCase()
  const found = all
    .filter(({ name }) => name.toLowerCase().includes(lower))
    .toSorted((one, other) => startsWith(other, lower) - startsWith(one, lower))
    .slice(0, most)
  const isWhole = found.some(({ name }) => name.toLowerCase() === lower)
  if (found.length === 0 || isWhole) return undefined
  return { from: match.index, to: caret, sign, found }
}

const startsWith = ({ name }: Named, word: string) => Number(name.toLowerCase().startsWith(word))

export const complete = (text: string, { from, to, sign }: Completion, { name }: Named) =>
  `${text.slice(0, from)}${sign}${name} ${text.slice(to).trimStart()}`
