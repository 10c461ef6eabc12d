// Suggestions for a task that will be late: more time, a later date, or less work.
import type { FullPlannerRun, ListedTask, Window } from '@daywright/contract'
import { minutesBetween, plusMinutes, type Zone, zoned } from '../../time/zone.ts'
import { type Week, weekOf, wholeDay, windowsFrom } from '../settings/schedule/week-ranges.ts'

export type Risk = {
  task: ListedTask
  text: string
  proof: string | null
  /** The minutes that do not fit into the plan. */
  missingMinutes: number
  /** The end of its planned work. */
  endsAt: Date | undefined
  /** The minutes planned before it is due. */
  inTimeMinutes: number
}

export function risksOf(run: FullPlannerRun, tasks: ListedTask[]): Risk[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const missing = new Map(run.unscheduled.map((each) => [each.taskId, each]))
  const reasons = [...run.atRisk, ...run.unscheduled]
  const ids = [...new Set(reasons.map(({ taskId }) => taskId))]
  const placed = [...run.blocks.unchanged, ...run.blocks.moved, ...run.blocks.added]
  return ids.flatMap((id) => {
    const task = byId.get(id)
    if (!task) return []
    const reason = reasons.find(({ taskId }) => taskId === id)
    const own = placed.filter(({ taskId }) => taskId === id)
    const ends = own.map(({ endAt }) => endAt.getTime())
    return {
      task,
      text: reason?.text ?? '',
      proof: reason?.proof ?? null,
      missingMinutes: missing.get(id)?.minutes ?? 0,
      endsAt: ends.length > 0 ? new Date(Math.max(...ends)) : undefined,
      inTimeMinutes: own
        .filter(({ endAt }) => task.dueAt === null || endAt <= task.dueAt)
        .reduce((sum, { startAt, endAt }) => sum + minutesBetween(startAt, endAt), 0),
    }
  })
}

const endOfWork = Temporal.PlainTime.from('17:00')

/**
 * A later due date: 17:00 on the day on which the planned work ends, or the next full hour if that is later.
 * If the work does not fit, a week later.
 */
export function laterDue({ task, endsAt, missingMinutes }: Risk, now: Date, zone: Zone) {
  const late = endsAt !== undefined && missingMinutes === 0
  const from = late
    ? endsAt
    : plusMinutes(task.dueAt && task.dueAt > now ? task.dueAt : now, 7 * 1440)
  const end = zoned(from, zone).round({ smallestUnit: 'hour', roundingMode: 'ceil' })
  const evening = end.withPlainTime(endOfWork)
  const due = Temporal.ZonedDateTime.compare(evening, end) < 0 ? end : evening
  return new Date(due.epochMilliseconds)
}

const stepMinutes = 15

/** The part of the estimate that fits; half of it if nothing fits. */
export function lessWork({ task, inTimeMinutes, missingMinutes }: Risk) {
  const estimate = task.estimateMinutes ?? 0
  const fits = missingMinutes > 0 ? estimate - missingMinutes : inTimeMinutes
  const wanted = fits > 0 && fits < estimate ? fits : estimate / 2
  return Math.max(stepMinutes, Math.floor(wanted / stepMinutes) * stepMinutes)
}

/** Extends each working day by an hour. */
export function longerDays(windows: Window[]): Window[] {
  const week: Week = weekOf(windows).map((ranges) =>
    ranges.map((range, index) =>
      index === ranges.length - 1 ? { ...range, end: Math.min(wholeDay, range.end + 60) } : range,
    ),
  )
  return windowsFrom(week)
}
