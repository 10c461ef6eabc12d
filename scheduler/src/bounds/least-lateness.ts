// The least lateness of any plan, by prices on time (Lagrange): every minute of the calendar gets a
// price, each task by itself buys the minutes that suit it best, and all pay together what the
// calendar is worth less than its price. Whatever the prices, the sum is a lower bound, since the
// tasks of a real plan pay each at least as much and never buy a minute twice. Good prices make it
// a good one: dear where many tasks must have the same hours.
import { NEVER, type Alone } from './single-task.ts'
import { cellsOf } from './time-cells.ts'
import type { Compiled } from '../problem/compile.ts'
import { climb } from './subgradient.ts'
import { newMarket, type Market } from './lagrangian-subproblem.ts'
import { LATE_AT_ALL } from '../problem/weights.ts'

/** Sees the market after every round of buying. */
export type Watch = (market: Market) => void

export function leastLateness(compiled: Compiled, each: Alone, known?: number, watch?: Watch) {
  const { fixed, buyers } = settle(compiled, each)
  if (!buyers.length) return fixed

  let open = 0
  const fine = cellsOf(compiled, 30)
  for (const minutes of fine.minutes) open += minutes
  const size = Math.max(30, Math.ceil(open / cellsFor(buyers.length)))
  const cells = size > 30 ? cellsOf(compiled, size) : fine
  const market = newMarket(compiled, each, cells, buyers)
  const aim = known === undefined ? undefined : known - fixed
  const best = climb(market, cells.ofClass, {
    known: aim,
    flat: clearingPrice(compiled, buyers, open),
    watch: () => watch?.(market),
  })
  // Every plan costs a whole number; the margin is for rounding in the sums.
  return fixed + Math.max(0, Math.ceil(best * (1 - 1e-9) - 1e-3))
}

/** What is late in the same way in every plan, and the tasks that can still be late or not. */
function settle(compiled: Compiled, each: Alone) {
  const { need, due, weight, horizon, topological, successors } = compiled
  let fixed = 0
  const buys = new Uint8Array(need.length)
  for (let i = topological.length - 1; i >= 0; i--) {
    const j = topological[i]!
    // Beyond the horizon nothing is planned: then it is late in no plan for certain.
    const counts = due[j]! <= horizon
    const none = each.finish[j] === NEVER && each.leftOver[j] === need[j]
    if (need[j] && !none) {
      // Others may have to wait for what itself is never late.
      if (counts || successors[j]!.some((s) => buys[s])) buys[j] = 1
    } else if (counts) {
      const end = need[j] ? horizon + need[j] : compiled.keptEnd[j]!
      if (end > due[j]!) fixed += weight[j]! * (LATE_AT_ALL + end - due[j]!)
    }
  }
  const buyers: number[] = []
  for (let j = 0; j < buys.length; j++) if (buys[j]) buyers.push(j)
  return { fixed, buyers }
}

/** What a minute is worth to the last task that fits, if all is sold to those who gain most. */
function clearingPrice({ need, due, weight, horizon }: Compiled, buyers: number[], open: number) {
  const worth = Float64Array.from(buyers, (j) =>
    due[j]! > horizon
      ? 0
      : (weight[j]! * (LATE_AT_ALL + horizon + need[j]! - Math.max(due[j]!, 0))) / need[j]!,
  )
  const order = Array.from(buyers, (_, b) => b).toSorted((a, b) => worth[b]! - worth[a]!)
  for (const b of order) {
    open -= need[buyers[b]!]!
    if (open < 0) return worth[b]!
  }
  return 0
}

const cellsFor = (tasks: number) => (tasks <= 300 ? 96 : 64)
