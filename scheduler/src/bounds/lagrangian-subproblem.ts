// Each task by itself buys the cells of time that suit it best at given prices.
import { NEVER, type Alone } from './single-task.ts'
import { Basket, Bought } from './cheapest-minutes.ts'
import type { Cells } from './time-cells.ts'
import type { Compiled } from '../problem/compile.ts'
import { Links } from './precedence-multipliers.ts'
import { LATE_AT_ALL } from '../problem/weights.ts'

export type Market = {
  /** Tasks that buy. */
  buyers: readonly number[]
  /** Supply per cell. */
  minutes: Int32Array
  /** Those who wait for each other, with prices of their own. */
  links: Links
  /** Per buyer: the middle of the minutes bought at last; what is left over counts behind the end. */
  middle: Float64Array
  /** The lower bound at these prices; writes the minutes bought of each cell to `demand`. */
  bound: (prices: Float64Array, demand: Float64Array) => number
}

/**
 * A task is done in time, late, or left over in part or whole. For each end it takes the cheapest
 * minutes before that end; a cell counts from its start, so the end is never put too late.
 */
export function newMarket(compiled: Compiled, each: Alone, cells: Cells, buyers: number[]): Market {
  const { horizon } = compiled
  const count = buyers.length
  const pick = (values: ArrayLike<number>) => Int32Array.from(buyers, (j) => values[j]!)
  const need = pick(compiled.need)
  const due = pick(compiled.due)
  const weight = pick(compiled.weight)
  const release = pick(each.release)
  const classOf = pick(compiled.classOf)
  const split = pick(compiled.split)
  const leftOver = pick(each.leftOver)
  const finish = pick(each.finish)
  for (let b = 0; b < count; b++) {
    // Kept blocks are part of the work: it is not over before they are.
    finish[b] = Math.max(finish[b]!, compiled.keptEnd[buyers[b]!]!)
    // Buys for the sake of those who wait for it only.
    if (due[b]! > horizon) {
      due[b] = horizon
      weight[b] = 0
    }
  }
  // Up to the pivot nothing costs but the minutes: the due date, or the earliest end past it.
  const pivot = finish.map((end, b) => Math.max(end, due[b]!))
  // Positions among the cells of its window set: the first it may use, the first behind the pivot.
  const first = new Int32Array(count)
  const behind = new Int32Array(count)
  for (let b = 0; b < count; b++) {
    const own = cells.ofClass[classOf[b]!]!
    while (first[b]! < own.length && cells.end[own[first[b]!]!]! <= release[b]!) first[b]!++
    behind[b] = first[b]!
    while (behind[b]! < own.length && cells.start[own[behind[b]!]!]! < pivot[b]!) behind[b]!++
  }
  // Per window set: whether prices only fall with time, as they mostly do.
  const falling = new Uint8Array(cells.ofClass.length)

  const stages = 1 + (cells.stage.at(-1) ?? -1)
  const links = new Links(compiled, buyers, need, stages)
  const { reward, surcharge } = links
  const ownPrices = new Float64Array(cells.start.length)
  const middle = new Float64Array(count)

  const basket = new Basket(cells.start.length)
  const best = new Bought(cells.start.length)
  let bestStage = 0

  /** Minutes of a cell between release and pivot, at most. */
  function sizeBefore(cell: number, turn: number, release: number) {
    const open = Math.min(cells.end[cell]!, turn) - Math.max(cells.start[cell]!, release)
    // Cells of one stretch overlap, so that one may be over before the release of the next.
    return Math.max(0, Math.min(cells.minutes[cell]!, open))
  }

  function buy(b: number, prices: Float64Array, cheapest: number) {
    const p = need[b]!
    const w = weight[b]!
    const d = due[b]!
    const r = release[b]!
    const own = cells.ofClass[classOf[b]!]!
    const never = finish[b]! >= NEVER
    const turn = pivot[b]!
    const base = turn > d ? w * (LATE_AT_ALL + turn - d) : 0
    const floor = split[b] ? Math.min(cheapest, w) : cheapest
    const rewards = links.at[b]!
    const most = rewards < 0 ? 0 : reward[rewards]!
    best.count = 0
    bestStage = stages
    let least = w * (LATE_AT_ALL + horizon + p - d)
    if (!never && base + p * cheapest - most >= least && (floor >= w || !split[b])) return least

    basket.clear()
    let position = first[b]!
    let straddles = -1
    if (falling[classOf[b]!] && rewards < 0) {
      // The cheapest minutes before the pivot are the last ones.
      let enough = 0
      position = behind[b]!
      while (position > first[b]! && enough < p) {
        const cell = own[--position]!
        enough += sizeBefore(cell, turn, r)
      }
    }
    for (; position < behind[b]!; position++) {
      const cell = own[position]!
      basket.put(prices[cell]!, sizeBefore(cell, turn, r), cell, p)
      if (cells.end[cell]! > turn && straddles < 0) straddles = position
      if (rewards >= 0 && !never && basket.held === p) {
        const stage = cells.stage[cell]!
        const cost = base + basket.paid - reward[rewards + stage]!
        if (cost < least) {
          least = cost
          best.copy(basket, 0, 0, 0)
          bestStage = stage
        }
      }
    }
    if (rewards < 0 && !never && basket.held === p && base + basket.paid < least) {
      least = base + basket.paid
      best.copy(basket, 0, 0, 0)
      if (least === 0) return 0
    }
    // Cells across the pivot have a late part, which begins there.
    if (straddles >= 0) position = straddles
    for (; position < own.length; position++) {
      const cell = own[position]!
      const start = Math.max(cells.start[cell]!, turn)
      if (cells.end[cell]! <= Math.max(start, r)) continue
      const paidFor = rewards < 0 ? 0 : reward[rewards + cells.stage[cell]!]!
      const late = w * (LATE_AT_ALL + start - d) - paidFor
      // Neither a later end nor leaving work over can be better from here on.
      if (late + p * floor >= least) break
      const price = prices[cell]!
      const size = Math.min(cells.minutes[cell]!, cells.end[cell]! - Math.max(start, r))
      // Minutes here end it later, so each must save more than its price and its lateness.
      let taken = p - basket.held
      if (taken <= size && !never) {
        let saved = 0
        let at = basket.head
        let spare = size - taken
        while (at < basket.tail && spare > 0 && basket.price[at]! > price + w) {
          const minutes = Math.min(basket.minutes[at]!, spare)
          saved += minutes * basket.price[at]!
          taken += minutes
          spare -= minutes
          at++
        }
        const cost = late + taken * (price + w) + basket.paid - saved
        if (cost < least) {
          least = cost
          best.copy(basket, taken - (p - basket.held), cell, taken)
          bestStage = cells.stage[cell]!
        }
      }
      basket.put(price, size, cell, p)
    }
    if (position < own.length || !split[b]) return least
    // All open time is in view: what is dearer than its lateness is left over, and what must be.
    const must = Math.max(1, leftOver[b]!)
    let missing = p - basket.held
    let without = 0
    let saved = 0
    for (let at = basket.head; at < basket.tail; at++) {
      const dear = basket.price[at]! > w ? basket.minutes[at]! : must - missing
      const minutes = Math.min(basket.minutes[at]!, dear)
      if (minutes <= 0) break
      missing += minutes
      without += minutes
      saved += minutes * basket.price[at]!
    }
    const cost = w * (LATE_AT_ALL + horizon + missing - d) + basket.paid - saved
    if (cost < least) {
      least = cost
      best.copy(basket, without, 0, 0)
      bestStage = stages
    }
    return least
  }

  /** Notes what the buyer has bought just now. */
  function note(b: number, demand: Float64Array) {
    const at = links.at[b]!
    links.doneIn[b] = bestStage
    let left = need[b]!
    let middles = 0
    for (let i = 0; i < best.count; i++) {
      const cell = best.cell[i]!
      const minutes = best.minutes[i]!
      demand[cell]! += minutes
      left -= minutes
      middles += minutes * (cells.start[cell]! + cells.end[cell]!)
      if (at >= 0) links.bought[at + cells.stage[cell]!]! += minutes
    }
    middle[b] = (0.5 * middles + left * (horizon + left)) / need[b]!
  }

  return {
    buyers,
    minutes: cells.minutes,
    links,
    middle,
    bound(prices, demand) {
      demand.fill(0)
      let sum = 0
      let cheapest = Infinity
      for (let c = 0; c < prices.length; c++) {
        sum -= prices[c]! * cells.minutes[c]!
        cheapest = Math.min(cheapest, prices[c]!)
      }
      for (const [k, own] of cells.ofClass.entries()) {
        falling[k] = 1
        for (let i = 1; i < own.length; i++) {
          if (prices[own[i]!]! > prices[own[i - 1]!]!) falling[k] = 0
        }
      }
      links.charge()
      for (let b = 0; b < count; b++) {
        const at = links.at[b]!
        if (at >= 0) {
          for (const c of cells.ofClass[classOf[b]!]!) {
            ownPrices[c] = prices[c]! + surcharge[at + cells.stage[c]!]!
          }
        }
        sum += buy(b, at >= 0 ? ownPrices : prices, cheapest)
        note(b, demand)
      }
      links.compare()
      return sum
    },
  }
}
