// Plans in every time zone on the days of a year on which its clocks change.
import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Problem, Window } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aProblem, aTask } from './problem.ts'

const MINUTE = 60_000
const YEAR = 2026

const changesOf = (zone: string): number[] => {
  const changes: number[] = []
  const start = Temporal.ZonedDateTime.from({ year: YEAR, month: 1, day: 1, timeZone: zone })
  const end = start.add({ years: 1 }).epochMilliseconds
  let next = start.getTimeZoneTransition('next')
  while (next && next.epochMilliseconds < end) {
    changes.push(next.epochMilliseconds)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

const everyDay = (start: string, end: string): Window[] => [
  { day: [0, 1, 2, 3, 4, 5, 6], start, end },
]
const SETS = [everyDay('00:00', '23:59'), everyDay('00:30', '03:15'), everyDay('22:10', '23:50')]

const problemAround = (zone: string, change: number): Problem =>
  aProblem({
    now: change - 20 * 60 * MINUTE - 17_000,
    timezone: zone,
    tasks: SETS.flatMap((windows, i) => [
      aTask(`a${i}`, { windows, estimateMinutes: 300, cooldownMinutes: 0 }),
      aTask(`b${i}`, { windows, estimateMinutes: 95, autoSplit: false }),
    ]),
  })

describe('the days on which the clocks change', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const cases = zones.flatMap((zone) => changesOf(zone).map((change) => ({ zone, change })))

  it('are found', () => {
    expect(zones.length).toBeGreaterThan(400)
    expect(cases.length).toBeGreaterThan(200)
  })

  it('leave blocks inside local windows, with exact durations', { timeout: 60_000 }, () => {
    const failures = cases.flatMap(({ zone, change }) => {
      const problem = problemAround(zone, change)
      const made = plan(problem)
      const minutes = made.create.reduce((sum, b) => sum + (b.endAt - b.startAt) / MINUTE, 0)
      return [
        ...check(problem, made).map(({ rule, detail }) => `${zone} ${change}: ${rule}: ${detail}`),
        ...made.create
          .filter((block) => !insideOnTheWall(block, zone))
          .map(() => `${zone} outside`),
        ...(minutes === 3 * 395 ? [] : [`${zone} ${change}: ${minutes} minutes`]),
      ]
    })

    expect(failures).toEqual([])
  })
})

/** Whether the block is inside its window on the wall clock, checked every five minutes. */
const insideOnTheWall = (
  block: { taskId: string; startAt: number; endAt: number },
  zone: string,
): boolean => {
  const { start, end } = SETS[Number(block.taskId[1])]![0]!
  const clock = clockOf(zone)
  let repeats = false
  let before = ''
  for (let at = block.startAt; at < block.endAt; at += 5 * MINUTE) {
    const time = clock.format(at)
    // An hour that occurs twice: the window lasts until its end occurs for the first time.
    if (time < before) repeats = true
    before = time
    if (!repeats && (time < start || time >= end)) return false
  }
  return true
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const clockOf = (timeZone: string) => {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(timeZone, made)
  return made
}
