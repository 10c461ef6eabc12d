// The planner: a pure function from a problem to a plan.
import { leastLeftOver } from '../bounds/least-left-over.ts'
import { type Bound, lowerBound } from '../bounds/lower-bound.ts'
import { createInitialSolutions, type InitialSolutions } from '../construction/initial-solutions.ts'
import { createSolverContext, type SolverContext } from '../construction/solver-context.ts'
import { explainPlan } from '../explain/explain-plan.ts'
import { type Report, reportOn } from '../explain/report.ts'
import type { Cost, Plan, Problem } from '../model.ts'
import { costOf } from '../objective/cost.ts'
import { compile, type Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'
import { solveWithPreferences } from './solve-with-preferences.ts'
import { isUnchanged, solveWithStability } from './solve-with-stability.ts'

/** Changes whenever the same problem may get another plan. */
export const version = '6'

/** A finished plan by task numbers and minutes, as the explanations need it. */
export type Outcome = {
  compiled: Compiled
  /** Per task number the pairs of its new sessions. */
  sessions: readonly Sessions[]
  /** The same sessions, all together in order of time. */
  blocks: { task: number; start: number; end: number }[]
  report: Report
  cost: Cost
  bound: Plan['bound']
}

export const plan = (problem: Problem): Plan => {
  const solved = solve(compile(problem))
  const { compiled, context, boundAt } = solved
  const sessions = nearPreferredTimes(solved) ?? solved.sessions()
  const cost = costOf(compiled, sessions)
  const outcome: Outcome = {
    compiled,
    sessions,
    blocks: inOrderOfTime(sessions),
    report: reportOn(compiled, sessions),
    cost,
    bound: knownBound(context, sessions, cost) ?? boundAt(cost.lateness),
  }
  const explanations = explainPlan(outcome)
  const { blocks, report } = outcome
  const id = (task: number) => compiled.tasks[task]!.id
  const at = (minute: number) => compiled.t0 + minute * 60_000
  return {
    version,
    timezone: compiled.timezone,
    create: blocks.map(({ task, start, end }, i) => ({
      taskId: id(task),
      startAt: at(start),
      endAt: at(end),
      ...explanations.blocks[i]!,
    })),
    cancel: compiled.cancel,
    atRisk: report.atRisk.map((task, i) => ({ taskId: id(task), ...explanations.atRisk[i]! })),
    unscheduled: report.unscheduled.map(({ task, minutes }, i) => ({
      taskId: id(task),
      minutes,
      ...explanations.unscheduled[i]!,
    })),
    oversized: report.oversized.map(id),
    cost,
    bound: outcome.bound,
  }
}

type Solved = ReturnType<typeof solve>

const solve = (compiled: Compiled) => {
  const context = createSolverContext(compiled)
  let initial: InitialSolutions | undefined
  const fromScratch = () =>
    solveWithPreferences(context, (given) => (initial = createInitialSolutions(given)))
  let proven: Bound | undefined
  // Where initial solutions were made, their Lagrangian relaxation has already given a bound.
  const boundAt = (lateness: number) =>
    (proven ??= initial ? initial.bound : lowerBound(compiled, lateness, context.taskBounds))
  let found: Sessions[] | undefined
  const sessions = () => (found ??= solveWithStability(context, fromScratch, boundAt))
  return { compiled, context, boundAt, sessions }
}

/** A plan with recurring work near its preferred times; undefined if that causes more lateness or left-over
 *  work, or if the plan is unchanged. */
const nearPreferredTimes = ({ compiled, boundAt, sessions }: Solved): Sessions[] | undefined => {
  const { problem } = compiled
  if (!compiled.tasks.some(({ recurring }) => recurring?.preferredTime)) return undefined
  if (problem.changed?.length === 0 && isUnchanged(compiled, sessions())) return undefined
  const near = solve(compile(problem, true)).sessions()
  const { lateness, leftOver } = costOf(compiled, near)
  const least = boundAt(lateness)
  if (lateness <= least.lateness && leftOver <= least.leftOver) return near
  const anywhere = costOf(compiled, sessions())
  const isLess = anywhere.lateness - lateness || anywhere.leftOver - leftOver
  return isLess < 0 ? undefined : near
}

/** If only time has passed, the earlier lateness bound still holds: left-over work counts as done after the
 *  horizon, which only moves later. */
const knownBound = (
  { compiled, taskBounds }: SolverContext,
  sessions: readonly Sessions[],
  { lateness }: Cost,
): Bound | undefined => {
  const { previousBound } = compiled.problem
  // Another version may weigh lateness differently.
  if (previousBound?.version !== version || !isUnchanged(compiled, sessions)) return undefined
  return {
    lateness: Math.min(previousBound.lateness, lateness),
    leftOver: leastLeftOver(compiled, taskBounds),
  }
}

const inOrderOfTime = (sessions: readonly Sessions[]) =>
  sessions
    .flatMap((pairs, task) =>
      Array.from({ length: pairs.length / 2 }, (_, i) => ({
        task,
        start: pairs[2 * i]!,
        end: pairs[2 * i + 1]!,
      })),
    )
    .toSorted((a, b) => a.start - b.start)
