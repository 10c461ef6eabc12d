// Initial solutions for the local search: sequences by dispatching rules and from the Lagrangian order.
import { leastLeftOver } from '../bounds/least-left-over.ts'
import type { Bound } from '../bounds/lower-bound.ts'
import { compareCosts, costOf } from '../objective/cost.ts'
import { Decoder, type Turn } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import { type AtcSetting, dispatchByAtc } from './atc-dispatch.ts'
import { lagrangianOrder } from './lagrangian-order.ts'
import { byPriority, MAX_TURNS_PER_TASK } from './orders.ts'
import type { SolverContext } from './solver-context.ts'

/** Found by experiment. Which setting is best depends on how full the horizon is. */
const SETTINGS: AtcSetting[] = [
  { lookAhead: 4, inTimeFactor: 2 },
  { lookAhead: 2, inTimeFactor: 4 },
  { lookAhead: 1, inTimeFactor: 8 },
  { lookAhead: 8, inTimeFactor: 1 },
]

export type InitialSolutions = {
  /** In order of ascending cost, one for each distinct cost. */
  decoders: Decoder[]
  /** The lower bound from the Lagrangian relaxation and the maximum flow. */
  bound: Bound
}

export const createInitialSolutions = (context: SolverContext): InitialSolutions => {
  const { compiled, placer, unavoidable, taskBounds } = context
  const byRules = solutionsByRules(context)
  const best = byRules.reduce((a, b) => (compareCosts(b.cost, a.cost) < 0 ? b : a))
  // The bound includes tasks that need no time; the cost of the decoder does not.
  const upperBound = costOf(compiled, best.sessions()).lateness
  const { order, leastLateness } = lagrangianOrder(compiled, placer, taskBounds, upperBound)
  const byLagrangian = new Decoder(compiled, placer, oneTurnPerTask(compiled, order), unavoidable)
  const decoders = [...byRules, byLagrangian]
    .toSorted((a, b) => compareCosts(a.cost, b.cost))
    .filter((one, i, all) => i === 0 || compareCosts(one.cost, all[i - 1]!.cost) !== 0)
  return {
    decoders,
    bound: { lateness: leastLateness, leftOver: leastLeftOver(compiled, taskBounds) },
  }
}

/** By priority, by due date and by ATC. */
export const solutionsByRules = ({
  compiled,
  placer,
  urgency,
  order,
  unavoidable,
}: SolverContext) => {
  const settings = SETTINGS.slice(0, compiled.tasks.length > 1000 ? 1 : 4)
  return [
    byPriority(compiled, urgency),
    oneTurnPerTask(compiled, order),
    ...settings.map((setting) => mergeTurns(dispatchByAtc(compiled, urgency, setting))),
  ].map((turns) => new Decoder(compiled, placer, turns, unavoidable))
}

const oneTurnPerTask = ({ need }: Compiled, order: readonly number[]): Turn[] =>
  order.map((task) => ({ task, quota: need[task]! }))

/** Merges neighbouring turns of one task, and all turns beyond the limit per task. */
const mergeTurns = (turns: Turn[]): Turn[] => {
  const result: Turn[] = []
  const count = new Map<number, Turn[]>()
  for (const turn of turns) {
    const own = count.get(turn.task) ?? []
    if (result.at(-1)?.task === turn.task || own.length >= MAX_TURNS_PER_TASK)
      own.at(-1)!.quota += turn.quota
    else {
      const next = { ...turn }
      result.push(next)
      count.set(turn.task, [...own, next])
    }
  }
  return result
}
