// Finds left-over work for which there would have been room.
import { factsOf } from '../src/checker/facts.ts'
import type { Plan, Problem } from '../src/model.ts'

const MINUTE = 60_000
const MARK = 5 * MINUTE
const OFFICE_HOURS = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

/** One more session of the shortest length, wherever it could begin: where something ends. */
export const leftOverWithRoom = (problem: Problem, plan: Plan): string[] => {
  if (plan.unscheduled.length === 0) return []
  const facts = factsOf(problem, plan)
  const first = Math.ceil(problem.now / MARK) * MARK
  const last = Math.floor(facts.horizonEnd / MARK) * MARK
  const busy = [...facts.kept, ...plan.create]
  return plan.unscheduled.flatMap(({ taskId, minutes }) => {
    const { task, kept, planned, waitsFor } = facts.tasks.get(taskId)!
    if (waitsFor.some((other) => other.placed < other.need)) return []
    const shortest = Math.min(task.minSessionMinutes, task.maxSessionMinutes)
    const length = (task.autoSplit ? shortest : minutes) * MINUTE
    if (length > minutes * MINUTE) return []
    const rest = task.cooldownMinutes * MINUTE
    const own = [...kept, ...planned]
    const before = waitsFor.flatMap((other) => [...other.kept, ...other.planned])
    const earliest = Math.max(first, task.startAfter ?? 0, ...before.map((block) => block.endAt))
    const openings = facts.clock.openings(task.windows ?? OFFICE_HOURS)
    const starts = [
      earliest,
      ...openings.map(([start]) => start),
      ...busy.map((block) => block.endAt),
      ...own.map((block) => block.endAt + rest),
    ].map((instant) => Math.ceil(instant / MINUTE) * MINUTE)
    const room = starts.find(
      (start) =>
        start >= earliest &&
        start + length <= last &&
        openings.some(([from, until]) => from <= start && start + length <= until) &&
        !busy.some((block) => start < block.endAt && block.startAt < start + length) &&
        !own.some((block) => start < block.endAt + rest && block.startAt < start + length + rest),
    )
    return room === undefined ? [] : [`${taskId} has room at ${new Date(room).toISOString()}`]
  })
}
