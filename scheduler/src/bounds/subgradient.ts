// Moves prices on time towards the best lower bound (subgradients with momentum).
import type { Market } from './lagrangian-subproblem.ts'

/** Work per call, counted in offers looked at: the same on any machine. */
const EFFORT = 2_000_000
const MOST_ROUNDS = 100

/** Early work of those who wait weighs this much against hours too much in demand. Found by trial. */
const PACE_OF_LINKS = 3

/** Prices that move together. */
type Tolls = {
  toll: Float64Array
  /** By how many minutes more is wanted than there is. */
  excess: Float64Array
  trend: Float64Array
  scale: Float64Array
  kept: Float64Array
}

/**
 * The best sum on the way to a balance of demand and supply. `watch` sees each round of buying.
 *
 * The price of a cell is the sum of the tolls at it and behind it in its window set: a toll is for
 * all the time up to its cell, since work that must end by a day competes for all hours before it.
 * Priced one by one, the hours would learn from each other only step by step.
 */
export function climb(
  market: Market,
  ofClass: readonly Int32Array[],
  { known = Infinity, flat, watch }: { known?: number; flat: number; watch?: () => void },
): number {
  const { minutes, links } = market
  const prices = new Float64Array(minutes.length)
  const demand = new Float64Array(minutes.length)
  const chains = ofClass
    .filter((cells) => cells.length)
    .map((cells) => ({ cells, ...tollsOn(cells, minutes) }))
  const all: Tolls[] = [...chains, tollsOnLinks()]
  const charge = () => {
    prices.fill(0)
    for (const { cells, toll } of chains) {
      let sum = 0
      for (let i = cells.length - 1; i >= 0; i--) prices[cells[i]!]! += sum += toll[i]!
    }
    const value = market.bound(prices, demand)
    for (const { cells, excess } of chains) {
      let sum = 0
      for (let i = 0; i < cells.length; i++) {
        excess[i] = sum += demand[cells[i]!]! - minutes[cells[i]!]!
      }
    }
    return value
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
  const offers = market.buyers.length * minutes.length + 1
  const rounds = Math.max(5, Math.min(MOST_ROUNDS, Math.floor(EFFORT / offers)))
  for (let round = 0; round < rounds; round++) {
    const goal = Math.min(known, best + reach)
    let norm = 0
    for (const { toll, excess, trend, scale } of all) {
      for (let i = 0; i < toll.length; i++) {
        // What costs nothing cannot become cheaper.
        trend[i] = 0.7 * trend[i]! + (excess[i]! < 0 && toll[i] === 0 ? 0 : excess[i]!)
        norm += trend[i]! * trend[i]! * scale[i]!
      }
    }
    if (norm < 1e-9 || goal <= best) break
    const step = (pace * (goal - value)) / norm
    for (const { toll, trend, scale } of all) {
      for (let i = 0; i < toll.length; i++) {
        toll[i] = Math.max(0, toll[i]! + step * trend[i]! * scale[i]!)
      }
    }
    value = charge()
    watch?.()
    if (value > best) {
      if (value > best + 0.5 * reach) reach *= 1.5
      best = value
      for (const { toll, kept } of all) kept.set(toll)
      idle = 0
    } else if (++idle >= 5) {
      // Too far: back to the best place, and smaller steps from there.
      idle = 0
      pace *= 0.6
      reach *= 0.5
      for (const { toll, kept, trend } of all) {
        toll.set(kept)
        trend.fill(0)
      }
      value = charge()
    }
  }
  return best

  function tollsOnLinks(): Tolls {
    const { early: toll, ahead: excess } = links
    const scale = toll.map((_, i) => PACE_OF_LINKS / Math.sqrt(links.minutesAt(i)))
    return { toll, excess, scale, trend: toll.slice(), kept: toll.slice() }
  }
}

function tollsOn(cells: Int32Array, minutes: Int32Array): Tolls {
  const empty = () => new Float64Array(cells.length)
  let sum = 0
  const scale = Float64Array.from(cells, (cell) => 1 / Math.sqrt((sum += minutes[cell]!)))
  return { toll: empty(), excess: empty(), scale, trend: empty(), kept: empty() }
}
