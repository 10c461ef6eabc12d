// Compares 10,000 random rules with dateutil, an independent implementation. Its results are stored; where it is
// installed (Debian: python3-dateutil), some of them are computed again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { formatWall, parseWall } from '../src/days.ts'
import { expandRule } from '../src/expand-rule.ts'
import { parseRule } from '../src/rule.ts'

const folder = new URL('oracle/', import.meta.url)
const stored = gunzipSync(readFileSync(new URL('rules.tsv.gz', folder)))
  .toString()
  .trim()
  .split('\n')

const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import dateutil']).status === 0,
)

/** dateutil assigns 2 January 2022 to week 53. It is in week 52 of 2021, which has no week 53. */
const faultOfDateutil = 'FREQ=YEARLY;BYDAY=SU,MO;BYWEEKNO=53,4;BYMINUTE=2,13,44,33'

describe('random rules', () => {
  it('are 10,000, and most of them have occurrences', () => {
    expect(stored).toHaveLength(10_000)
    const withOccurrences = stored.filter((line) => !line.includes('\t0\t'))
    expect(withOccurrences.length).toBeGreaterThan(7000)
  })

  it('have the occurrences that dateutil finds, except for one bug of dateutil', () => {
    const different = stored.filter((line) => expandLine(line) !== line)
    expect(different.map((line) => line.split('\t')[0])).toEqual([faultOfDateutil])
  })

  it.skipIf(!python)('are stored with the results of the installed dateutil', () => {
    const some = stored.filter((_, i) => i % 50 === 0)
    const script = fileURLToPath(new URL('oracle.py', folder))
    const { stdout } = spawnSync(python!, [script, 'recompute'], { input: some.join('\n') })
    expect(stdout.toString().trim().split('\n')).toEqual(some)
  })
})

/** The stored line, but with our result instead of that of dateutil. */
function expandLine(line: string) {
  const [text = '', start = '', from = '', to = ''] = line.split('\t')
  const rule = parseRule(text)
  const found = expandRule(rule, {
    start: parseWall(start)!,
    startIsFirst: true,
    from: parseWall(from)!,
    to: parseWall(to)!,
    until: rule.until === undefined ? undefined : parseWall(rule.until),
    limit: 100_000,
    steps: { left: 10_000_000 },
  }).map((wall) => formatWall(wall, false))
  const digest = createHash('sha256').update(found.join('\n')).digest('hex').slice(0, 12)
  return [text, start, from, to, found.length, digest].join('\t')
}
