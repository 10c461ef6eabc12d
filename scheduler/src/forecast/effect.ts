// The effect of a change on the plan: compares the calendar after the present plan with that after the change.
import type { Block, Plan, Problem, Task } from '../model.ts'

const MINUTE = 60_000

type Place = { startAt: number; endAt: number }

/** A block that moves, appears (`from` is null) or goes (`to` is null). */
export type Move = { taskId: string; from: Place | null; to: Place | null }

export type Effect = {
  /** Tasks that are at risk after the change and were not before, and the other way round. */
  becomeLate: string[]
  becomeOnTime: string[]
  /** The change in total lateness, in minutes. */
  lateMinutes: number
  /** The change in the work that does not fit into the horizon, in minutes. */
  leftOverMinutes: number
  moves: Move[]
}

/** The problem after the plan is carried out, with nothing changed since. */
export const carryOut = (problem: Problem, plan: Plan): Problem => {
  const gone = new Set(plan.cancel)
  const created = plan.create.map(({ taskId, startAt, endAt, explanation }, i): Block => ({
    id: `planned-${i}`,
    taskId,
    type: 'task',
    source: 'auto',
    status: 'scheduled',
    locked: false,
    startAt,
    endAt,
    explanation,
    plannedAt: problem.now,
  }))
  const { now, timezone, tasks, dependencies, preferences } = problem
  const blocks = [...problem.blocks.filter(({ id }) => !gone.has(id)), ...created]
  return { now, timezone, tasks, dependencies, preferences, blocks, changed: [] }
}

export type Planned = { problem: Problem; plan: Plan }

/** `before` and `after` are problems with their plans; `except` is a task whose own due date and left-over
 *  work do not count. */
export const effectOf = (before: Planned, after: Planned, except?: string): Effect => {
  const [old, now] = [before, after].map((planned) => stateOf(planned, except))
  return {
    becomeLate: [...now!.late].filter((id) => !old!.late.has(id)).toSorted(),
    becomeOnTime: [...old!.late].filter((id) => !now!.late.has(id)).toSorted(),
    lateMinutes: now!.lateMinutes - old!.lateMinutes,
    leftOverMinutes: now!.leftOverMinutes - old!.leftOverMinutes,
    moves: movesBetween(old!.blocks, now!.blocks),
  }
}

const stateOf = ({ problem, plan }: Planned, except: string | undefined) => {
  const blocks = carryOut(problem, plan).blocks.filter(hasTask)
  const ends = new Map<string, number>()
  for (const { taskId, endAt } of blocks)
    ends.set(taskId, Math.max(endAt, ends.get(taskId) ?? endAt))
  const isCounted = ({ taskId }: { taskId: string }) => taskId !== except
  const unscheduled = plan.unscheduled.filter(isCounted)
  const left = new Set(unscheduled.map(({ taskId }) => taskId))
  const lateness = ({ id, dueAt }: Task) =>
    dueAt === null || left.has(id) ? 0 : Math.max(0, (ends.get(id) ?? dueAt) - dueAt) / MINUTE
  return {
    blocks,
    late: new Set(plan.atRisk.filter(isCounted).map(({ taskId }) => taskId)),
    lateMinutes: problem.tasks
      .filter(({ id, autoSchedule }) => autoSchedule && id !== except)
      .reduce((sum, task) => sum + lateness(task), 0),
    leftOverMinutes: unscheduled.reduce((sum, { minutes }) => sum + minutes, 0),
  }
}

type TaskBlock = Block & { taskId: string }
const hasTask = (block: Block): block is TaskBlock => block.taskId !== null

/** The moves of each task. A block at the same time has not moved; the others are paired in order of time. */
const movesBetween = (before: TaskBlock[], after: TaskBlock[]): Move[] => {
  const byTask = (blocks: TaskBlock[]) =>
    Map.groupBy(
      blocks.toSorted((a, b) => a.startAt - b.startAt || a.endAt - b.endAt),
      ({ taskId }) => taskId,
    )
  const [old, now] = [byTask(before), byTask(after)]
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((taskId) => {
    const gone = [...(old.get(taskId) ?? [])]
    const come = (now.get(taskId) ?? []).filter((block) => {
      const same = gone.findIndex(
        ({ startAt, endAt }) => startAt === block.startAt && endAt === block.endAt,
      )
      if (same >= 0) gone.splice(same, 1)
      return same < 0
    })
    return Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => ({
      taskId,
      from: placeOf(gone[i]),
      to: placeOf(come[i]),
    }))
  })
}

const placeOf = (block: Block | undefined): Place | null =>
  block ? { startAt: block.startAt, endAt: block.endAt } : null
