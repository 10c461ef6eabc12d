// Where the search begins: sequences made by rules and by prices.
import type { Bound } from '../bounds/lower-bound.ts'
import type { Compiled } from '../problem/compile.ts'
import { compareCosts, costOf } from '../objective/cost.ts'
import { Decoder, type Turn } from '../placement/decoder.ts'
import { bySlack, type DispatchSetting } from './atc-dispatch.ts'
import { lagrangianOrder } from './lagrangian-order.ts'
import { leastLeftOver } from '../bounds/least-left-over.ts'
import { byPriority, MOST_TURNS } from './orders.ts'
import type { Ground } from './solver-context.ts'

/** Found by trial: which one does best depends on how full the fortnight is. */
const SETTINGS: DispatchSetting[] = [
  { lookAhead: 4, stillInTime: 2 },
  { lookAhead: 2, stillInTime: 4 },
  { lookAhead: 1, stillInTime: 8 },
  { lookAhead: 8, stillInTime: 1 },
]

export type Starts = {
  /** The best first; of several that cost the same only one. */
  decoders: Decoder[]
  /** No plan has less; the prices prove it. */
  bound: Bound
}

export const startsOf = (ground: Ground): Starts => {
  const { compiled, placer, unavoidable, taskBounds } = ground
  const byRules = startsByRules(ground)
  const best = byRules.reduce((a, b) => (compareCosts(b.cost, a.cost) < 0 ? b : a))
  // The decoder does not count what no turn can change, but the bound does.
  const known = costOf(compiled, best.sessions()).lateness
  const { order, leastLateness } = lagrangianOrder(compiled, placer, taskBounds, known)
  const byPrices = new Decoder(compiled, placer, whole(compiled, order), unavoidable)
  const decoders = [...byRules, byPrices]
    .toSorted((a, b) => compareCosts(a.cost, b.cost))
    .filter((one, i, all) => i === 0 || compareCosts(one.cost, all[i - 1]!.cost) !== 0)
  return { decoders, bound: { lateness: leastLateness, leftOver: leastLeftOver(compiled, taskBounds) } }
}

/** By priority, by due date and by slack. */
export const startsByRules = ({ compiled, placer, urgency, order, unavoidable }: Ground) => {
  const settings = SETTINGS.slice(0, compiled.tasks.length > 1000 ? 1 : 4)
  return [
    byPriority(compiled, urgency),
    whole(compiled, order),
    ...settings.map((setting) => joined(bySlack(compiled, urgency, setting))),
  ].map((turns) => new Decoder(compiled, placer, turns, unavoidable))
}

const whole = ({ need }: Compiled, order: readonly number[]): Turn[] =>
  order.map((task) => ({ task, quota: need[task]! }))

/** Neighbouring turns of one task become one, and so does what comes after the last that counts. */
const joined = (turns: Turn[]): Turn[] => {
  const result: Turn[] = []
  const count = new Map<number, Turn[]>()
  for (const turn of turns) {
    const own = count.get(turn.task) ?? []
    if (result.at(-1)?.task === turn.task || own.length >= MOST_TURNS)
      own.at(-1)!.quota += turn.quota
    else {
      const next = { ...turn }
      result.push(next)
      count.set(turn.task, [...own, next])
    }
  }
  return result
}
