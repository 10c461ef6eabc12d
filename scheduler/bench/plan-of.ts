// Sessions as a plan for the checker, and the cost of a plan.
import type { Plan, Problem } from '../src/model.ts'
import { costOf } from '../src/objective/cost.ts'
import { compile, type Compiled } from '../src/problem/compile.ts'

const MINUTE = 60_000

/** A plan from sessions, which are pairs of start and end minutes per task number. */
export const planOf = (compiled: Compiled, sessions: number[][]): Plan => {
  const { tasks, need, due, keptEnd, problem, t0, horizonEnd } = compiled
  const reason = (j: number) => ({ taskId: tasks[j]!.id, text: 'So it came.', proof: null })
  const left = sessions.map((pairs, j) => need[j]! - minutesIn(pairs))
  const late = tasks.map((task, j) => {
    if (task.dueAt === null) return false
    const end = Math.max(keptEnd[j]!, ...sessions[j]!)
    return task.dueAt < problem.now || end > due[j]! || (left[j]! > 0 && task.dueAt <= horizonEnd)
  })
  const numbers = [...tasks.keys()]
  return {
    version: 'baseline',
    timezone: compiled.timezone,
    create: sessions.flatMap((pairs, j) =>
      pairs.flatMap((start, i) =>
        i % 2 === 0
          ? {
              taskId: tasks[j]!.id,
              startAt: t0 + start * MINUTE,
              endAt: t0 + pairs[i + 1]! * MINUTE,
              defended: false,
              explanation: 'So it came.',
            }
          : [],
      ),
    ),
    cancel: compiled.cancel,
    atRisk: numbers.filter((j) => late[j]).map(reason),
    unscheduled: numbers
      .filter((j) => left[j]! > 0)
      .map((j) => ({ ...reason(j), minutes: left[j]! })),
    oversized: tasks.filter((task) => task.estimateMinutes! > 480).map((task) => task.id),
    cost: costOf(compiled, sessions),
    bound: { lateness: 0, leftOver: 0 },
  }
}

/** The lateness of a plan, computed from its blocks alone. */
export const latenessOfPlan = (problem: Problem, plan: Plan): number => {
  const compiled = compile(problem)
  const number = new Map(compiled.tasks.map((task, j) => [task.id, j]))
  const sessions: number[][] = compiled.tasks.map(() => [])
  for (const { taskId, startAt, endAt } of plan.create) {
    sessions[number.get(taskId)!]!.push(
      (startAt - compiled.t0) / MINUTE,
      (endAt - compiled.t0) / MINUTE,
    )
  }
  return costOf(compiled, sessions).lateness
}

const minutesIn = (pairs: number[]) =>
  pairs.reduce((sum, minute, i) => sum + (i % 2 ? minute : -minute), 0)
