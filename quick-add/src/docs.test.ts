// Parses every example in docs/use/quick-add.md.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { names, now, zone } from '../test/phrases.ts'
import { parseQuickAdd } from './index.ts'

const kinds: Record<string, string[]> = {
  'Due on a day': ['due'],
  'Due at a time': ['due'],
  'Due, in short': ['due'],
  'Not before': ['start'],
  'Between two days': ['period'],
  'At a fixed time': ['event'],
  'How long it takes': ['estimate'],
  Priority: ['priority'],
  'Space or project': ['space', 'project'],
  Label: ['label', 'new label'],
  'How often': ['repeat'],
}

const rows = readFileSync(new URL('../../docs/use/quick-add.md', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, meaning = '']) => meaning in kinds)
const examples = rows.flatMap(([, meaning = '', cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, example = '']) => [meaning, example] as const),
)

describe('the table of docs/use/quick-add.md', () => {
  it('has examples of every kind', () => {
    expect(new Set(rows.map(([, meaning]) => meaning))).toEqual(new Set(Object.keys(kinds)))
    expect(examples.length).toBeGreaterThan(40)
  })

  it.for(examples)('%s: %s', ([meaning, example]) => {
    const context = { now, zone, locale: 'en-GB', names }
    const { title, spans } = parseQuickAdd(`Call Mei ${example}`, context)

    expect(title).toBe('Call Mei')
    for (const { kind } of spans) {
      expect([
        ...kinds[meaning]!,
        ...(meaning === 'At a fixed time' ? ['estimate'] : []),
      ]).toContain(kind)
    }
    expect(spans.length).toBeGreaterThan(0)
  })
})
