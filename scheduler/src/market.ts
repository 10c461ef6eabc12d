// Each task by itself buys the cells of time that suit it best at given prices.
import { NEVER, type Alone } from './alone.ts'
import type { Cells } from './cells.ts'
import type { Compiled } from './compile.ts'
import { LATE_AT_ALL } from './weights.ts'

export type Market = {
  /** Tasks that buy. */
  size: number
  /** Supply per cell. */
  minutes: Int32Array
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
  // Kept blocks are part of the work: it is not over before they are.
  for (let b = 0; b < count; b++) {
    finish[b] = Math.max(finish[b]!, compiled.keptEnd[buyers[b]!]!)
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

  // The basket: cells by falling price, from `head` to `tail`.
  const room = cells.start.length + 2
  const basketPrice = new Float64Array(2 * room)
  const basketMinutes = new Int32Array(2 * room)
  const basketCell = new Int32Array(2 * room)
  const bestCell = new Int32Array(room)
  const bestMinutes = new Int32Array(room)
  let bestCount = 0
  let head = 0
  let tail = 0
  let held = 0
  let paid = 0

  /** Adds what is cheaper than the dearest in the basket, which makes way. */
  function put(price: number, minutes: number, cell: number, most: number) {
    if (!minutes) return
    if (held >= most && price > basketPrice[head]!) return
    let at = tail++
    while (at > head && basketPrice[at - 1]! < price) {
      basketPrice[at] = basketPrice[at - 1]!
      basketMinutes[at] = basketMinutes[at - 1]!
      basketCell[at] = basketCell[at - 1]!
      at--
    }
    basketPrice[at] = price
    basketMinutes[at] = minutes
    basketCell[at] = cell
    held += minutes
    paid += minutes * price
    while (held > most) {
      const over = Math.min(held - most, basketMinutes[head]!)
      held -= over
      paid -= over * basketPrice[head]!
      basketMinutes[head]! -= over
      if (!basketMinutes[head]) head++
    }
  }

  /** Remembers the basket without its `without` dearest minutes, with `extra` minutes of a cell. */
  function remember(without: number, cell: number, extra: number) {
    bestCount = 0
    for (let at = head; at < tail; at++) {
      const minutes = basketMinutes[at]!
      const gone = Math.min(minutes, without)
      without -= gone
      if (minutes === gone) continue
      bestCell[bestCount] = basketCell[at]!
      bestMinutes[bestCount++] = minutes - gone
    }
    if (!extra) return
    bestCell[bestCount] = cell
    bestMinutes[bestCount++] = extra
  }

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
    bestCount = 0
    let best = w * (LATE_AT_ALL + horizon + p - d)
    if (!never && base + p * cheapest >= best && (floor >= w || !split[b])) return best

    head = tail = held = paid = 0
    let position = first[b]!
    let straddles = -1
    if (falling[classOf[b]!]) {
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
      put(prices[cell]!, sizeBefore(cell, turn, r), cell, p)
      if (cells.end[cell]! > turn && straddles < 0) straddles = position
    }
    if (!never && held === p && base + paid < best) {
      best = base + paid
      remember(0, 0, 0)
      if (best === 0) return 0
    }
    // Cells across the pivot have a late part, which begins there.
    if (straddles >= 0) position = straddles
    for (; position < own.length; position++) {
      const cell = own[position]!
      const start = Math.max(cells.start[cell]!, turn)
      if (cells.end[cell]! <= Math.max(start, r)) continue
      const late = w * (LATE_AT_ALL + start - d)
      // Neither a later end nor leaving work over can be better from here on.
      if (late + p * floor >= best) break
      const price = prices[cell]!
      const size = Math.min(cells.minutes[cell]!, cells.end[cell]! - Math.max(start, r))
      // Minutes here end it later, so each must save more than its price and its lateness.
      let taken = p - held
      if (taken <= size) {
        let saved = 0
        let at = head
        let spare = size - taken
        while (at < tail && spare > 0 && basketPrice[at]! > price + w) {
          const minutes = Math.min(basketMinutes[at]!, spare)
          saved += minutes * basketPrice[at]!
          taken += minutes
          spare -= minutes
          at++
        }
        const cost = late + taken * (price + w) + paid - saved
        if (cost < best) {
          best = cost
          remember(taken - (p - held), cell, taken)
        }
      }
      put(price, size, cell, p)
    }
    if (position < own.length || !split[b]) return best
    // All open time is in view: what is dearer than its lateness is left over, and what must be.
    const least = Math.max(1, leftOver[b]!)
    let missing = p - held
    let without = 0
    let saved = 0
    for (let at = head; at < tail; at++) {
      const dear = basketPrice[at]! > w ? basketMinutes[at]! : least - missing
      const minutes = Math.min(basketMinutes[at]!, dear)
      if (minutes <= 0) break
      missing += minutes
      without += minutes
      saved += minutes * basketPrice[at]!
    }
    const cost = w * (LATE_AT_ALL + horizon + missing - d) + paid - saved
    if (cost < best) {
      best = cost
      remember(without, 0, 0)
    }
    return best
  }

  return {
    size: count,
    minutes: cells.minutes,
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
      for (let b = 0; b < count; b++) {
        sum += buy(b, prices, cheapest)
        for (let i = 0; i < bestCount; i++) demand[bestCell[i]!]! += bestMinutes[i]!
      }
      return sum
    },
  }
}
