import { describe, expect, it } from 'vitest'
import type { Plan } from '../src/model.ts'
import { plan } from '../src/index.ts'
import { aPlan, aProblem, aTask, planned } from '../test/problem.ts'
import { readBounds } from './bounds.ts'
import { dayQuality, summaryOf } from './day-quality.ts'
import { mean, median } from './figures.ts'
import { measure } from './measure.ts'
import { people } from './people.ts'

/** Limits on 30 weeks. Measured when they were set: 0.41, 0.66 and 0.07. */
const LIMITS = { interruptionsADay: 0.5, needlessSwitchesADay: 0.8, shortBlocksAWeek: 0.3 }
/** Limits on the excess over the stored bounds. Measured when they were set: 4.6 % and 0.3 %. */
const EXCESS = { mean: 0.05, median: 0.005 }
/** 80 before sessions under 15 minutes were given up: one due date was met only by such a session. */
const AT_RISK = 81

describe('the weeks of people', { timeout: 60_000 }, () => {
  const instances = people()
  const plans = new Map<unknown, Plan>()
  const planOnce = (problem: Parameters<typeof plan>[0]) => {
    const made = plans.get(problem) ?? plan(problem)
    plans.set(problem, made)
    return made
  }

  it('have few task switches and few short blocks', () => {
    const summary = summaryOf(
      instances.map(({ problem }) => dayQuality(problem, planOnce(problem))),
    )

    expect(summary.interruptionsADay).toBeLessThanOrEqual(LIMITS.interruptionsADay)
    expect(summary.needlessSwitchesADay).toBeLessThanOrEqual(LIMITS.needlessSwitchesADay)
    expect(summary.shortBlocksAWeek).toBeLessThanOrEqual(LIMITS.shortBlocksAWeek)
    expect(summary.atRisk).toBeLessThanOrEqual(AT_RISK)
  })
  it('stay as close to the bound as before', () => {
    const bounds = readBounds()
    const measures = instances.map((instance) =>
      measure({ name: 'Daywright', plan: planOnce }, instance, bounds),
    )
    const excess = measures.map((one) => one.excess)

    expect(mean(excess)).toBeLessThanOrEqual(EXCESS.mean)
    expect(median(excess)).toBeLessThanOrEqual(EXCESS.median)
    expect(measures.filter((one) => one.violations > 0)).toEqual([])
  })
})

describe('the figures of a day', () => {
  it('count switches, returns, interruptions, short blocks, parts and days without lunch', () => {
    const problem = aProblem({ tasks: [aTask('a', { estimateMinutes: 190 }), aTask('b')] })
    const block = (id: string, start: string, end: string) =>
      planned(id, `2026-01-05T${start}Z`, `2026-01-05T${end}Z`)
    const create = [
      block('a', '09:00', '10:00'),
      block('b', '10:00', '10:10'),
      block('a', '10:10', '11:10'),
      block('b', '11:10', '12:00'),
      block('a', '12:10', '13:10'),
      block('a', '13:50', '14:00'),
    ]

    expect(dayQuality(problem, aPlan({ create }))).toMatchObject({
      days: 1,
      switches: 4,
      needlessSwitches: 3,
      interruptions: 3,
      shortBlocks: 2,
      parts: 6,
      fewestParts: 5,
      lunchDays: 1,
      lunchlessDays: 0,
    })
    const full = [...create.slice(0, 5), block('a', '13:20', '14:00')]
    expect(dayQuality(problem, aPlan({ create: full })).lunchlessDays).toBe(1)
  })
})
