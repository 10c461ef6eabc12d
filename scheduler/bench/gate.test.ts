import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check, plan } from '../src/index.ts'
import { readBounds } from './bounds.ts'
import { movedShare, withoutPlan, withPlan } from './changes.ts'
import { mean } from './figures.ts'
import { smallWeeks, weeks } from './instances.ts'
import { measure } from './measure.ts'

/** Mean excess over the bound by number of tasks, as of the last deliberate change. */
const quality = JSON.parse(
  readFileSync(new URL('quality.json', import.meta.url), 'utf8'),
) as Record<string, number>

const ONE_POINT = 0.01

describe('the planner', () => {
  const bounds = readBounds()

  it.each([50, 200])('stays as near to the bound as it was: %i tasks', (size) => {
    const measures = weeks(size).map((instance) =>
      measure({ name: 'Daywright', plan }, instance, bounds),
    )

    expect(mean(measures.map((one) => one.excess))).toBeLessThanOrEqual(quality[size]! + ONE_POINT)
    expect(measures.filter((one) => one.violations > 0)).toEqual([])
  })

  it.each([...smallWeeks([12], 1), ...weeks(10, 1), ...weeks(50, 2), ...weeks(200, 1)])(
    'moves nothing if nothing changed: $name',
    ({ problem }) => {
      const planned = withPlan(problem, plan(problem))

      const again = plan(planned)

      expect(check(planned, again)).toEqual([])
      expect(movedShare(planned, again)).toBe(0)
      // A block that starts right now has started, and is kept instead of planned again.
      const movable = planned.blocks.length - withoutPlan(planned).blocks.length
      expect(again.create.length).toBe(movable)
    },
  )
})
