import { describe, expect, it } from 'vitest'
import { check, plan, type Preferences } from '../src/index.ts'
import { compile } from '../src/problem/compile.ts'
import { intersect, length, pairsOf, union } from '../src/problem/intervals.ts'
import { dayStarts } from '../src/problem/windows.ts'
import { movedShare, withPlan } from './changes.ts'
import { dayQuality, summaryOf } from './day-quality.ts'
import { mean } from './figures.ts'
import { people } from './people.ts'
import { planOnce } from './plan-once.ts'

/** Two weeks of each kind of person, planned with and without the preferences. */
const planned = (preferences: Preferences) =>
  people(2).map(({ problem }) => {
    const wish = { ...problem, preferences }
    return { problem, wish, plain: planOnce(problem), wished: plan(wish) }
  })

type Week = ReturnType<typeof planned>[number]

describe('the preferences in weeks of people', { timeout: 120_000 }, () => {
  it('lunch: nearly every day has half an hour free at noon', () => {
    const weeks = planned({ lunch: { from: '11:30', to: '14:00', minutes: 45 } })

    const share = (of: 'plain' | 'wished') =>
      summaryOf(weeks.map((week) => dayQuality(week.problem, week[of]))).lunchlessShare

    expect(share('plain')).toBeGreaterThan(0.5)
    expect(share('wished')).toBeLessThanOrEqual(0.05)
    expect(weeks.flatMap(({ wish, wished }) => check(wish, wished))).toEqual([])
  })

  // Reducing task switches uses some of the free time again, so 64 % of the full days remain.
  it('free time: far fewer days are full, and nothing is later', () => {
    const weeks = planned({ keepFreePercent: 15 })

    const fullDays = (of: 'plain' | 'wished') =>
      mean(weeks.flatMap((week) => filledShares(week, of).map((share) => (share >= 0.95 ? 1 : 0))))
    const lateness = (of: 'plain' | 'wished') => mean(weeks.map((week) => week[of].cost.lateness))

    expect(fullDays('wished')).toBeLessThanOrEqual(0.65 * fullDays('plain'))
    expect(lateness('wished')).toBeLessThanOrEqual(1.001 * lateness('plain'))
  })

  it('all of them: no rule is broken, and the next run moves nothing', () => {
    const weeks = planned({
      lunch: { from: '11:30', to: '14:00', minutes: 45 },
      breaks: { afterMinutes: 45, minutes: 10 },
      dailyLimitMinutes: 360,
      keepFreePercent: 15,
      bufferMinutes: 5,
      focusHours: { from: '09:00', to: '12:00' },
      deepWorkUntil: '15:00',
    })

    for (const { wish, wished } of weeks) {
      const next = withPlan(wish, wished)
      expect(check(wish, wished)).toEqual([])
      expect(movedShare(next, plan(next))).toBe(0)
    }
  })
})

/** The share of each day's open time that is planned, for a week. */
const filledShares = ({ problem, ...plans }: Week, of: 'plain' | 'wished'): number[] => {
  const { classes, timezone, t0, horizon } = compile(problem)
  const open = union(classes.flatMap(({ free }) => pairsOf(free)))
  const minute = (instant: number) => (instant - t0) / 60_000
  const work = union(plans[of].create.map((block) => [minute(block.startAt), minute(block.endAt)]))
  const starts = dayStarts(timezone, t0, horizon)
  return Array.from({ length: 7 }, (_, i) => starts.subarray(i, i + 2))
    .map((day) => ({ open: length(intersect(open, day)), work: length(intersect(work, day)) }))
    .filter((day) => day.open > 0)
    .map((day) => day.work / day.open)
}
