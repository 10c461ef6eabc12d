// Ways out of a plan with late or left-over work: postpone a task, or add an hour to a weekday's windows. The
// problem is planned again with each change, and only changes that help are kept.
import type { Plan, Problem, Task, Window } from '../model.ts'
import { compile, type Compiled } from '../problem/compile.ts'
import { WEIGHT } from '../problem/weights.ts'
import { DEFAULT_WINDOWS, minuteOfDay } from '../problem/windows.ts'
import { plan } from '../solve/plan.ts'
import { carryOut, type Effect, effectOf, type Planned } from './effect.ts'
import { maxPlans } from './effort.ts'

const MAX_WAYS = 4
const EXTRA_MINUTES = 60
const LAST_MINUTE = 23 * 60 + 59

export type Change =
  | {
      kind: 'postpone'
      taskId: string
      /** The end of the horizon: the task is not planned before. */
      startAfter: number
      /** Whether the task's own due date is at or before `startAfter`. */
      missesDueDate: boolean
    }
  | {
      kind: 'extend'
      /** The windows to extend, null for the default windows; and the weekly window that is added. */
      windows: Window[] | null
      added: Window
    }

/** `solvesAll`: no task is late or left over any more, except tasks already overdue and the postponed task.
 *  The effect ignores the due date and the left-over work of a postponed task. */
export type WayOut = { change: Change; effect: Effect; solvesAll: boolean }

/** The ways out, best first: those that solve everything, then by the number of tasks that become on time,
 *  by left-over minutes and by moves. */
export const findWaysOut = (problem: Problem, present: Plan): WayOut[] => {
  const late = avoidablyLate(problem, present)
  if (late.size === 0) return []
  const settled = carryOut(problem, present)
  const before: Planned = { problem: settled, plan: { ...present, create: [], cancel: [] } }
  const compiled = compile(settled)
  const weights = new Map(problem.tasks.map(({ id, priority }) => [id, WEIGHT[priority]]))
  const weight = (ids: string[]) => ids.reduce((sum, id) => sum + weights.get(id)!, 0)
  const most = maxPlans(compiled.tasks.length)
  const extended = extensions(compiled, present, late).slice(0, Math.floor((most * 3) / 8))
  const delayed = postponements(compiled, present, late).slice(0, most - extended.length)
  const changes = [...delayed, ...extended]
  return changes
    .flatMap((change): WayOut[] => {
      const changed = applyChange(settled, change)
      const made = plan(changed)
      const postponed = change.kind === 'postpone' ? change.taskId : undefined
      const effect = effectOf(before, { problem: changed, plan: made }, postponed)
      const rest = avoidablyLate(changed, made)
      rest.delete(postponed ?? '')
      return helps(effect) && weight(sacrificed(change, late)) <= weight(effect.becomeOnTime)
        ? [{ change, effect, solvesAll: rest.size === 0 }]
        : []
    })
    .toSorted(
      (a, b) =>
        Number(b.solvesAll) - Number(a.solvesAll) ||
        b.effect.becomeOnTime.length - a.effect.becomeOnTime.length ||
        a.effect.leftOverMinutes - b.effect.leftOverMinutes ||
        a.effect.moves.length - b.effect.moves.length,
    )
    .slice(0, MAX_WAYS)
}

const helps = ({ becomeLate, becomeOnTime, leftOverMinutes }: Effect) =>
  becomeLate.length === 0 &&
  leftOverMinutes <= 0 &&
  (becomeOnTime.length > 0 || leftOverMinutes < 0)

/** The task that misses its due date only because of the change, if there is one. */
const sacrificed = (change: Change, late: Set<string>) =>
  change.kind === 'postpone' && change.missesDueDate && !late.has(change.taskId)
    ? [change.taskId]
    : []

/** The problem after the change. A postponed task is listed in `changed`; after a change of windows,
 *  `changed` is unknown. */
export const applyChange = (problem: Problem, change: Change): Problem => {
  if (change.kind === 'postpone') {
    const { taskId, startAfter } = change
    const tasks = problem.tasks.map((task) => (task.id === taskId ? { ...task, startAfter } : task))
    return { ...problem, tasks, changed: [taskId] }
  }
  const { changed: _, ...rest } = problem
  const key = JSON.stringify(change.windows)
  const windows = [...(change.windows ?? DEFAULT_WINDOWS), change.added]
  const tasks = problem.tasks.map((task) =>
    JSON.stringify(task.windows) === key ? { ...task, windows } : task,
  )
  return { ...rest, tasks }
}

/** Ids of the tasks that are left over, or late and not overdue already. */
const avoidablyLate = ({ now, tasks }: Problem, { atRisk, unscheduled }: Plan): Set<string> => {
  const due = new Map(tasks.map(({ id, dueAt }) => [id, dueAt]))
  const isAhead = ({ taskId }: { taskId: string }) => (due.get(taskId) ?? now) >= now
  return new Set([...atRisk.filter(isAhead), ...unscheduled].map(({ taskId }) => taskId))
}

/** The time before which more room is needed: the last due date that is missed, or the end of the horizon
 *  if work is left over. */
const limitOf = ({ tasks, horizonEnd }: Compiled, { unscheduled }: Plan, late: Set<string>) => {
  if (unscheduled.length > 0) return horizonEnd
  return Math.max(...tasks.flatMap(({ id, dueAt }) => (late.has(id) && dueAt ? [dueAt] : [])))
}

/** Changes that postpone a task that no other task waits for. Tasks with the most time before the limit,
 *  relative to their weight, come first. */
const postponements = (compiled: Compiled, present: Plan, late: Set<string>): Change[] => {
  const { tasks, successors, horizonEnd } = compiled
  const limit = limitOf(compiled, present, late)
  const minutes = new Map<string, number>()
  for (const { taskId, startAt, endAt } of present.create) {
    if (startAt >= limit) continue
    minutes.set(taskId, (minutes.get(taskId) ?? 0) + endAt - startAt)
  }
  const isDue = ({ dueAt }: Task) => dueAt !== null && dueAt <= horizonEnd
  // A task that would miss its own due date is a poor choice.
  const score = (task: Task) =>
    minutes.get(task.id)! / WEIGHT[task.priority] / (isDue(task) ? 8 : 1)
  return tasks
    .filter(({ id, locked }, j) => minutes.has(id) && !locked && successors[j]!.length === 0)
    .toSorted((a, b) => score(b) - score(a))
    .map((task) => ({
      kind: 'postpone',
      taskId: task.id,
      startAfter: horizonEnd,
      missesDueDate: isDue(task),
    }))
}

/** Changes that add an hour at the end of a weekday, first those before the due dates of the most late tasks. */
const extensions = (compiled: Compiled, present: Plan, late: Set<string>): Change[] => {
  const { problem, timezone, tasks, horizonEnd } = compiled
  const left = new Set(present.unscheduled.map(({ taskId }) => taskId))
  const found = new Map<string, { change: Change; count: number; at: number }>()
  const today = Temporal.Instant.fromEpochMilliseconds(problem.now).toZonedDateTimeISO(timezone)
  for (const { id, dueAt, windows } of tasks) {
    if (!late.has(id)) continue
    const limit = left.has(id) ? horizonEnd : dueAt!
    for (let ahead = 0; ahead < 7; ahead++) {
      const date = today.startOfDay().add({ days: ahead })
      const weekday = date.dayOfWeek % 7
      const own = (windows ?? DEFAULT_WINDOWS).filter(({ day }) => day.includes(weekday))
      const end = Math.max(...own.map((window) => minuteOfDay(window.end)))
      if (own.length === 0 || end + EXTRA_MINUTES > LAST_MINUTE) continue
      const at = date.epochMilliseconds + end * 60_000
      if (at < problem.now || at + EXTRA_MINUTES * 60_000 > limit) continue
      const key = `${weekday} ${JSON.stringify(windows)}`
      const added = { day: [weekday], start: timeOf(end), end: timeOf(end + EXTRA_MINUTES) }
      const entry = found.get(key) ?? { change: { kind: 'extend', windows, added }, count: 0, at }
      entry.count++
      found.set(key, entry)
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.count - a.count || a.at - b.at)
    .map(({ change }) => change)
}

const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
