// The least lateness of any plan, by prices on time (Lagrange): every minute of the calendar gets a
// price, each task by itself buys the minutes that suit it best, and all pay together what the
// calendar is worth less than its price. Whatever the prices, the sum is a lower bound, since the
// tasks of a real plan pay each at least as much and never buy a minute twice. Good prices make it
// a good one: dear where many tasks must have the same hours.
import { NEVER, type Alone } from './alone.ts'
import { cellsOf } from './cells.ts'
import type { Compiled } from './compile.ts'
import { newMarket, type Market } from './market.ts'
import { LATE_AT_ALL } from './weights.ts'

export function leastLateness(compiled: Compiled, each: Alone, known?: number) {
  const { need, due, weight, horizon } = compiled
  // Work that is late in the same way in every plan, and the tasks that can still be late or not.
  let fixed = 0
  const buyers: number[] = []
  for (let j = 0; j < need.length; j++) {
    // Beyond the horizon nothing is planned; such a task is late in no plan for certain.
    if (due[j]! > horizon) continue
    const none = each.finish[j] === NEVER && each.leftOver[j] === need[j]
    const end = !need[j] ? compiled.keptEnd[j]! : none ? horizon + need[j]! : -1
    if (end < 0 && need[j]) buyers.push(j)
    else if (end > due[j]!) fixed += weight[j]! * (LATE_AT_ALL + end - due[j]!)
  }
  if (!buyers.length) return fixed

  let open = 0
  const fine = cellsOf(compiled, 30)
  for (const minutes of fine.minutes) open += minutes
  const size = Math.max(30, Math.ceil(open / cellsFor(buyers.length)))
  const cells = size > 30 ? cellsOf(compiled, size) : fine
  const market = newMarket(compiled, each, cells, buyers)
  const aim = known === undefined ? undefined : known - fixed
  const best = climb(market, cells.ofClass, aim, clearingPrice(compiled, buyers, open))
  // Every plan costs a whole number; the margin is for rounding in the sums.
  return fixed + Math.max(0, Math.ceil(best * (1 - 1e-9) - 1e-3))
}

/** What a minute is worth to the last task that fits, if all is sold to those who gain most. */
function clearingPrice({ need, due, weight, horizon }: Compiled, buyers: number[], open: number) {
  const worth = Float64Array.from(
    buyers,
    (j) => (weight[j]! * (LATE_AT_ALL + horizon + need[j]! - Math.max(due[j]!, 0))) / need[j]!,
  )
  const order = Array.from(buyers, (_, b) => b).toSorted((a, b) => worth[b]! - worth[a]!)
  for (const b of order) {
    open -= need[buyers[b]!]!
    if (open < 0) return worth[b]!
  }
  return 0
}

const cellsFor = (tasks: number) => (tasks <= 300 ? 96 : 64)

/** Work per call, counted in offers looked at: the same on any machine. */
const EFFORT = 1_000_000

/**
 * Moves the prices towards balance of demand and supply; the best sum on the way.
 *
 * The price of a cell is the sum of the tolls at it and behind it in its window set: a toll is for
 * all the time up to its cell, since work that must end by a day competes for all hours before it.
 * Priced one by one, the hours would learn from each other only step by step.
 */
function climb(market: Market, ofClass: Int32Array[], known: number | undefined, flat: number) {
  const { minutes } = market
  const prices = new Float64Array(minutes.length)
  const demand = new Float64Array(minutes.length)
  const chains = ofClass.filter((cells) => cells.length).map((cells) => newChain(cells, minutes))
  const charge = () => {
    prices.fill(0)
    for (const { cells, toll } of chains) {
      let sum = 0
      for (let i = cells.length - 1; i >= 0; i--) prices[cells[i]!]! += sum += toll[i]!
    }
    return market.bound(prices, demand)
  }

  let value = charge()
  // Far more work than time: what the last task that fits would pay, the same for all hours, is
  // near the end already. Hours that are open to several sets have a toll of each.
  let shares = 0
  for (const { cells } of chains) shares += cells.length
  for (const { toll } of chains) toll[toll.length - 1] = (flat * minutes.length) / shares
  const start = flat ? charge() : value
  if (start > value) {
    value = start
    for (const { toll, kept } of chains) kept.set(toll)
  } else {
    for (const { toll } of chains) toll.fill(0)
    charge()
  }
  let best = value
  let reach = Math.max(1440, best * 0.2)
  let pace = 1
  let idle = 0
  const offers = market.size * minutes.length + 1
  const rounds = Math.max(5, Math.min(40, Math.floor(EFFORT / offers)))
  for (let round = 0; round < rounds; round++) {
    const goal = Math.min(known ?? Infinity, best + reach)
    let norm = 0
    for (const { cells, toll, trend, scale } of chains) {
      let excess = 0
      for (let i = 0; i < cells.length; i++) {
        excess += demand[cells[i]!]! - minutes[cells[i]!]!
        // What costs nothing cannot become cheaper.
        trend[i] = 0.7 * trend[i]! + (excess < 0 && toll[i] === 0 ? 0 : excess)
        norm += trend[i]! * trend[i]! * scale[i]!
      }
    }
    if (norm < 1e-9 || goal <= best) break
    const step = (pace * (goal - value)) / norm
    for (const { toll, trend, scale } of chains) {
      for (let i = 0; i < toll.length; i++) {
        toll[i] = Math.max(0, toll[i]! + step * trend[i]! * scale[i]!)
      }
    }
    value = charge()
    if (value > best) {
      if (value > best + 0.5 * reach) reach *= 1.5
      best = value
      for (const { toll, kept } of chains) kept.set(toll)
      idle = 0
    } else if (++idle >= 5) {
      // Too far: back to the best place, and smaller steps from there.
      idle = 0
      pace *= 0.6
      reach *= 0.5
      for (const { toll, kept, trend } of chains) {
        toll.set(kept)
        trend.fill(0)
      }
      value = charge()
    }
  }
  return best
}

function newChain(cells: Int32Array, minutes: Int32Array) {
  const empty = () => new Float64Array(cells.length)
  let sum = 0
  const scale = Float64Array.from(cells, (cell) => 1 / Math.sqrt((sum += minutes[cell]!)))
  return { cells, scale, toll: empty(), trend: empty(), kept: empty() }
}
