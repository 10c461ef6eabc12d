// The chance of meeting each due date, by Monte Carlo simulation: the plan is executed many times with
// random errors like those of the user's estimates.
import { randomFrom } from '../local-search/random.ts'
import type { Plan, Problem } from '../model.ts'
import { compile } from '../problem/compile.ts'
import { maxExecutions } from './effort.ts'
import { type EstimateErrors, estimateErrorsOf, firstAbove, normal } from './estimate-errors.ts'
import { plannedWork } from './planned-work.ts'
import { executionOf } from './simulate-execution.ts'

const SEED = 0xdacea

export type Likelihood = 'very likely' | 'likely' | 'uncertain' | 'unlikely' | 'very unlikely'

export type Chance = { taskId: string; dueAt: number; chance: number; likelihood: Likelihood }

/**
 * The chance of every task with work ahead that is due within the horizon, in order of due dates. `ratios`
 * are actual to estimated time of completed tasks. `plan` must be a plan for this problem.
 */
export const chancesOf = (problem: Problem, plan: Plan, ratios: readonly number[]): Chance[] => {
  const compiled = compile(problem)
  const work = plannedWork(problem, plan, compiled)
  const isDue = Array.from(work.tasks, (j) => {
    const { dueAt } = compiled.tasks[j]!
    return dueAt !== null && dueAt <= compiled.horizonEnd
  })
  const inTime = new Int32Array(work.tasks.length)
  const due = Int32Array.from(work.tasks, (j) => compiled.due[j]!)
  const execute = executionOf(compiled, work)
  const draw = workDrawer(work, estimateErrorsOf(ratios))
  const minutes = new Float64Array(work.tasks.length)
  const finish = new Float64Array(work.tasks.length)
  const executions = maxExecutions(work.sessions.length)
  for (let run = 0; run < executions; run++) {
    draw(minutes)
    execute(minutes, finish)
    for (let i = 0; i < finish.length; i++) if (finish[i]! <= due[i]!) inTime[i]!++
  }
  const positions = new Map(Array.from(work.tasks, (j, i) => [j, i]))
  return compiled.tasks
    .flatMap(({ id, dueAt }, j): Chance[] => {
      const i = positions.get(j)
      // A task without sessions is listed, with a chance of 0, if it still needs time.
      if (i === undefined ? compiled.need[j] === 0 : !isDue[i]) return []
      if (dueAt === null || dueAt > compiled.horizonEnd) return []
      const chance = i === undefined ? 0 : inTime[i]! / executions
      return [{ taskId: id, dueAt, chance, likelihood: likelihoodOf(chance) }]
    })
    .toSorted((a, b) => a.dueAt - b.dueAt || (a.taskId < b.taskId ? -1 : 1))
}

export const likelihoodOf = (chance: number): Likelihood => {
  if (chance >= 0.9) return 'very likely'
  if (chance >= 0.7) return 'likely'
  if (chance > 0.3) return 'uncertain'
  return chance > 0.1 ? 'unlikely' : 'very unlikely'
}

/** Returns a function that draws how many minutes of work each task still has. */
const workDrawer = (
  { estimate, done }: { estimate: Float64Array; done: Float64Array },
  { ratios, sharedSpread }: EstimateErrors,
) => {
  const random = randomFrom(SEED)
  return (minutes: Float64Array): void => {
    const shared = Math.exp(sharedSpread * normal(random))
    for (let i = 0; i < minutes.length; i++) {
      // If a task was begun, only ratios that leave it unfinished are possible.
      const least = done[i]! > 0 ? firstAbove(ratios, done[i]! / (estimate[i]! * shared)) : 0
      const place = least + Math.floor(random() * (ratios.length - least))
      const total = ratios[Math.min(place, ratios.length - 1)]! * shared * estimate[i]!
      minutes[i] = Math.max(1, total - done[i]!)
    }
  }
}
