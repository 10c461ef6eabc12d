import { describe, expect, it } from 'vitest'
import { check, plan } from '../src/index.ts'
import { factsOf } from '../src/checker/facts.ts'
import type { Plan, Problem, Task } from '../src/model.ts'
import { CHANGES, withPlan } from './changes.ts'
import { judgePlan } from './explanation-judge.ts'
import { habitWeeks } from './habits.ts'

const MINUTE = 60_000

const timeOf = ({ taskId, startAt, endAt }: Plan['create'][number]) => [taskId, startAt, endAt]

/** The local days on which the tasks are planned. */
const daysOf = ({ timezone }: Problem, { create }: Plan, tasks: Task[]) => {
  const ids = new Set(tasks.map(({ id }) => id))
  return create
    .filter(({ taskId }) => ids.has(taskId))
    .map(({ startAt }) =>
      Temporal.Instant.fromEpochMilliseconds(startAt)
        .toZonedDateTimeISO(timezone)
        .toPlainDate()
        .toString(),
    )
}

/** Whether events leave each of the tasks room on a day of its own. Counts minute by minute. */
const hasRoom = (problem: Problem, planned: Plan, tasks: Task[]) => {
  const facts = factsOf(problem, planned)
  const roomOn = ([from, until]: [number, number], task: Task) => {
    const openings = facts.clock.openings(
      task.windows ?? [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }],
    )
    let run = 0
    const first = Math.max(from, task.startAfter!, Math.ceil(problem.now / 300_000) * 300_000)
    for (let minute = first; minute < Math.min(until, task.dueAt!); minute += MINUTE) {
      const isOpen = openings.some(([start, end]) => start <= minute && minute + MINUTE <= end)
      const isBusy = facts.kept.some(
        ({ startAt, endAt }) => startAt < minute + MINUTE && minute < endAt,
      )
      run = isOpen && !isBusy ? run + 1 : 0
      if (run >= task.estimateMinutes!) return true
    }
    return false
  }
  const days = facts.clock.days()
  const possible = tasks.map((task) => days.flatMap((day, i) => (roomOn(day, task) ? [i] : [])))
  const choose = (task: number, used: Set<number>): boolean =>
    task === tasks.length ||
    possible[task]!.some((day) => !used.has(day) && choose(task + 1, new Set([...used, day])))
  return choose(0, new Set())
}

describe('40 weeks with habits', { timeout: 240_000 }, () => {
  const weeks = habitWeeks().map((week) => ({ ...week, planned: plan(week.problem) }))

  it('break no rule, and stay above their bound', () => {
    expect(weeks).toHaveLength(40)
    for (const { problem, planned } of weeks) {
      expect(check(problem, planned)).toEqual([])
      expect(planned.cost.lateness).toBeGreaterThanOrEqual(planned.bound.lateness)
      expect(planned.cost.leftOver).toBeGreaterThanOrEqual(planned.bound.leftOver)
    }
  })

  it('plan all occurrences in 95 % of the weeks with room, on different days in their period', () => {
    let kept = 0
    let count = 0
    for (const { problem, planned, habits } of weeks) {
      for (const { weeks } of habits) {
        for (const tasks of weeks) {
          const days = daysOf(problem, planned, tasks)
          expect(new Set(days).size).toBe(days.length)
          if (tasks.length === 0 || !hasRoom(problem, planned, tasks)) continue
          count += 1
          if (days.length === tasks.length) kept += 1
        }
      }
      const ends = new Map(
        problem.tasks.map(({ id, recurring }) => [id, recurring?.notAfter ?? Infinity]),
      )
      expect(planned.create.filter(({ taskId, endAt }) => endAt > ends.get(taskId)!)).toEqual([])
    }
    // 190 of 199 when the limit was set. In the other weeks, work that matters more needs the time.
    expect(count).toBeGreaterThan(150)
    expect(kept / count).toBeGreaterThanOrEqual(0.95)
  })

  it('plan most habits near the preferred time', () => {
    const distances = weeks.flatMap(({ problem, planned }) => {
      const wanted = new Map(
        problem.tasks.map(({ id, recurring }) => [id, recurring?.preferredTime]),
      )
      return planned.create.flatMap(({ taskId, startAt }) => {
        const time = wanted.get(taskId)
        if (!time) return []
        const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(startAt).toZonedDateTimeISO(
          problem.timezone,
        )
        const [hours, minutes] = time.split(':').map(Number)
        return [Math.abs(60 * (hour - hours!) + minute - minutes!)]
      })
    })
    expect(distances.length).toBeGreaterThan(300)
    expect(distances.filter((minutes) => minutes <= 30).length / distances.length).toBeGreaterThan(
      0.7,
    )
  })

  it('are explained truthfully, also after a change, and stay if nothing changes', () => {
    const verdicts = weeks.flatMap((week) => {
      const memory = new Map()
      const judged = judgePlan(week.problem, week.planned, memory)
      const next = withPlan(week.problem, week.planned)
      const again = plan({ ...next, changed: [] })
      // A block that begins now is kept, and not planned again.
      const later = week.planned.create.filter(({ startAt }) => startAt > week.problem.now)
      expect(again.create.map(timeOf)).toEqual(later.map(timeOf))
      const meeting = CHANGES.find(({ name }) => name === 'a new meeting')!
      const changed = meeting.apply(week, next)
      const moved = plan(changed)
      expect(check(changed, moved)).toEqual([])
      return [...judged, ...judgePlan(changed, moved, memory)]
    })
    const bad = (kind: string) =>
      verdicts.filter(({ findings }) => findings.some(({ is }) => is === kind))
    const shown = bad('false').map(({ text, findings }) => `${findings[0]!.what}: ${text}`)
    expect(shown.slice(0, 5)).toEqual([])
    expect(bad('misleading').length / verdicts.length).toBeLessThanOrEqual(0.02)
  })
})
