// The work ahead by task and session, as the simulation executes it. Times are minutes from `t0`.
import type { Plan, Problem } from '../model.ts'
import { classifyBlocks } from '../problem/classify.ts'
import type { Compiled } from '../problem/compile.ts'

const MINUTE = 60_000

export type PlannedWork = {
  /** Task numbers of the compiled problem: the tasks that have sessions. */
  tasks: Int32Array
  /** By position in `tasks`: the estimate, and the minutes already worked. */
  estimate: Float64Array
  done: Float64Array
  /** 1 if the sessions hold all the work, so that the last one goes on until the work is done. */
  isComplete: Uint8Array
  /** Positions of the tasks that must be done before. */
  predecessors: number[][]
  sessions: {
    /** Position in `tasks`. */
    task: number
    start: number
    minutes: number
    /** A kept block: no other session uses its time, and it does not move. */
    isKept: boolean
    isLast: boolean
  }[]
}

export const plannedWork = (problem: Problem, plan: Plan, compiled: Compiled): PlannedWork => {
  const { t0, tasks } = compiled
  const { kept } = classifyBlocks(problem, new Map(problem.tasks.map((task) => [task.id, task])))
  const numbers = new Map(tasks.map(({ id }, j) => [id, j]))
  const done = new Float64Array(tasks.length)
  const found: PlannedWork['sessions'] = []
  const minute = (instant: number) => (instant - t0) / MINUTE
  for (const { taskId, status, startAt, endAt } of kept) {
    const task = numbers.get(taskId ?? '')
    if (task === undefined) continue
    const [start, end] = [minute(startAt), minute(endAt)]
    const worked = status === 'completed' ? end - start : Math.min(Math.max(0, -start), end - start)
    done[task]! += worked
    const minutes = end - start - worked
    if (minutes <= 0) continue
    found.push({ task, start: Math.max(0, start), minutes, isKept: true, isLast: false })
  }
  for (const { taskId, startAt, endAt } of plan.create) {
    const start = minute(startAt)
    const minutes = minute(endAt) - start
    found.push({ task: numbers.get(taskId)!, start, minutes, isKept: false, isLast: false })
  }
  found.sort((a, b) => a.start - b.start)
  const left = new Set(plan.unscheduled.map(({ taskId }) => numbers.get(taskId)!))
  const worked = Int32Array.from(new Set(found.map(({ task }) => task)))
  const positions = new Map(Array.from(worked, (j, position) => [j, position]))
  const seen = new Set<number>()
  for (const session of found.toReversed()) {
    session.isLast = !seen.has(session.task)
    seen.add(session.task)
  }
  return {
    tasks: worked,
    estimate: Float64Array.from(worked, (j) => tasks[j]!.estimateMinutes!),
    done: Float64Array.from(worked, (j) => done[j]!),
    isComplete: Uint8Array.from(worked, (j) => (left.has(j) ? 0 : 1)),
    predecessors: Array.from(worked, (j) =>
      [...compiled.predecessors[j]!].flatMap((other) => positions.get(other) ?? []),
    ),
    sessions: found.map((session) => ({ ...session, task: positions.get(session.task)! })),
  }
}
