// The checker's rules about habits. The preferred time of day is a wish: it has no rule.
import type { Facts } from './facts.ts'

export const recurringRules: Record<string, (facts: Facts) => string[]> = {
  'no work of a habit after it lapses': ({ plan, tasks }) =>
    plan.create
      .filter(
        ({ taskId, endAt }) => endAt > (tasks.get(taskId)?.task.recurring?.notAfter ?? Infinity),
      )
      .map(({ taskId, endAt }) => `${taskId}: ends ${new Date(endAt).toISOString()}`),

  'two occurrences of one habit are not on the same day': (facts) => {
    const { tasks, kept, plan, problem, clock } = facts
    const seriesOf = (taskId: string | null) =>
      tasks.get(taskId ?? '')?.task.recurring?.series ?? null
    const done = problem.tasks.flatMap(({ recurring }) =>
      recurring && recurring.doneAt !== null
        ? [{ taskId: null, series: recurring.series, at: recurring.doneAt }]
        : [],
    )
    const begun = [...kept, ...plan.create].map(({ taskId, startAt }) => ({
      taskId,
      series: seriesOf(taskId),
      at: startAt,
    }))
    const days = clock.days()
    const dayOf = (at: number) => days.findIndex(([start, end]) => start <= at && at < end)
    return plan.create.flatMap(({ taskId, startAt }) => {
      const series = seriesOf(taskId)
      if (series === null) return []
      const day = dayOf(startAt)
      const isBeside = [...begun, ...done].some(
        (other) => other.series === series && other.taskId !== taskId && dayOf(other.at) === day,
      )
      return isBeside ? [`${taskId}: ${new Date(startAt).toISOString()}`] : []
    })
  },
}
