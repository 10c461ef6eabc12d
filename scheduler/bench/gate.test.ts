import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check, plan } from '../src/index.ts'
import { readBounds } from './bounds.ts'
import { CHANGES, movedShare, withoutPlan, withPlan } from './changes.ts'
import { mean } from './figures.ts'
import { smallWeeks, weeks } from './instances.ts'
import { measure } from './measure.ts'
import { planOnce } from './plan-once.ts'
import { steadiness } from './steadiness.ts'

/** Mean excess over the bound by number of tasks, as of the last deliberate change. */
const quality = JSON.parse(
  readFileSync(new URL('quality.json', import.meta.url), 'utf8'),
) as Record<string, number>

const ONE_POINT = 0.01

/** The share of the blocks of two days that a change moves, and the lateness compared with that of a plan from
 *  scratch, as of the last deliberate change. Both are limited, because either one alone is easy to keep low. */
const STEADY = [
  { change: 'an urgent one due tomorrow', movedSoon: 0.224, lateness: 1.1 },
  { change: 'a new meeting', movedSoon: 0.2, lateness: 1.062 },
]

describe('the planner', { timeout: 60_000 }, () => {
  const bounds = readBounds()

  it.each([50, 200])('stays as close to the bound as before: %i tasks', (size) => {
    const measures = weeks(size).map((instance) =>
      measure({ name: 'Daywright', plan: planOnce }, instance, bounds),
    )

    expect(mean(measures.map((one) => one.excess))).toBeLessThanOrEqual(quality[size]! + ONE_POINT)
    expect(measures.filter((one) => one.violations > 0)).toEqual([])
  })

  it.each([...smallWeeks([12], 1), ...weeks(10, 1), ...weeks(50, 2), ...weeks(200, 1)])(
    'moves nothing if nothing changed: $name',
    ({ problem }) => {
      const planned = withPlan(problem, planOnce(problem))

      const again = plan(planned)

      expect(check(planned, again)).toEqual([])
      expect(movedShare(planned, again)).toBe(0)
      // A block that starts right now has started, and is kept instead of planned again.
      const movable = planned.blocks.length - withoutPlan(planned).blocks.length
      expect(again.create.length).toBe(movable)
    },
  )

  it.each(STEADY)('stays as stable as before: $change', ({ change, movedSoon, lateness }) => {
    const { apply } = CHANGES.find(({ name }) => name === change)!

    const results = weeks(50).map((one) => steadiness(planOnce, one, { name: change, apply }))

    expect(mean(results.map((one) => one.movedSoon))).toBeLessThanOrEqual(movedSoon + 2 * ONE_POINT)
    // The plan from scratch, which is the reference, may improve as well. A mean of the ratios would depend on the
    // few weeks in which hardly anything is late.
    const sumOf = (key: 'lateness' | 'freshLateness') =>
      results.reduce((sum, one) => sum + one[key], 0)
    expect(sumOf('lateness') / sumOf('freshLateness')).toBeLessThanOrEqual(lateness + 5 * ONE_POINT)
    expect(results.filter((one) => one.violations > 0)).toEqual([])
  })
})
