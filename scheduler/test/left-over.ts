// Finds left-over work for which there would have been room.
import { type Facts, factsOf } from '../src/checker/facts.ts'
import { preferenceRules } from '../src/checker/preference-rules.ts'
import type { Plan, Problem } from '../src/model.ts'
import { planned } from './problem.ts'

const MINUTE = 60_000
const MARK = 5 * MINUTE
const OFFICE_HOURS = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

/** Tries one more session of the shortest length at every possible start: where time opens or a block ends. */
export const leftOverWithRoom = (problem: Problem, plan: Plan): string[] => {
  if (plan.unscheduled.length === 0) return []
  const facts = factsOf(problem, plan)
  const first = Math.ceil(problem.now / MARK) * MARK
  const last = Math.floor(facts.horizonEnd / MARK) * MARK
  const busy = [...facts.kept, ...plan.create]
  const buffer = problem.preferences?.bufferMinutes ?? 0
  const pauses = [0, buffer, problem.preferences?.breaks?.minutes ?? 0]
  return plan.unscheduled.flatMap(({ taskId, minutes }) => {
    const { task, waitsFor, ...blocks } = facts.tasks.get(taskId)!
    if (waitsFor.some((other) => other.placed < other.need)) return []
    const shortest = Math.min(task.minSessionMinutes, task.maxSessionMinutes)
    const length = (task.autoSplit ? shortest : minutes) * MINUTE
    if (length > minutes * MINUTE) return []
    // The planner keeps the buffer between sessions of one task, too.
    const rest = Math.max(task.cooldownMinutes, buffer) * MINUTE
    const own = [...blocks.kept, ...blocks.planned]
    const before = waitsFor.flatMap((other) => [...other.kept, ...other.planned])
    const earliest = Math.max(first, task.startAfter ?? 0, ...before.map((block) => block.endAt))
    const openings = facts.clock.openings(task.windows ?? OFFICE_HOURS)
    const starts = [
      earliest,
      ...openings.map(([start]) => start),
      ...busy.flatMap((block) => pauses.map((pause) => block.endAt + pause * MINUTE)),
      ...own.map((block) => block.endAt + rest),
    ].map((instant) => Math.ceil(instant / MINUTE) * MINUTE)
    const room = starts.find(
      (start) =>
        start >= earliest &&
        start + length <= last &&
        openings.some(([from, until]) => from <= start && start + length <= until) &&
        !busy.some((block) => start < block.endAt && block.startAt < start + length) &&
        !own.some((block) => start < block.endAt + rest && block.startAt < start + length + rest) &&
        keepsPreferences(facts, taskId, start, start + length),
    )
    return room === undefined ? [] : [`${taskId} has room at ${new Date(room).toISOString()}`]
  })
}

/** Whether one more session breaks no preference. The planner chooses which part of the span is lunch,
 *  so none of the span counts as room. */
const keepsPreferences = (facts: Facts, taskId: string, start: number, end: number): boolean => {
  const { problem, plan, clock } = facts
  const lunch = problem.preferences?.lunch
  const spans = lunch
    ? clock.openings([{ day: [0, 1, 2, 3, 4, 5, 6], start: lunch.from, end: lunch.to }])
    : []
  if (spans.some(([from, until]) => start < until && from < end)) return false
  const [startAt, endAt] = [start, end].map((instant) => new Date(instant).toISOString())
  const more = planned(taskId, startAt!, endAt!)
  const changed = factsOf(problem, { ...plan, create: [...plan.create, more] })
  return Object.values(preferenceRules).every((broken) => broken(changed).length === 0)
}
