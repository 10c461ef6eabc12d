// The cheapest minutes for a task among the cells seen so far, in the Lagrangian subproblem.

export class CheapestMinutes {
  /** Cells by descending price, from `head` to `tail`. */
  readonly price: Float64Array
  readonly minutes: Int32Array
  readonly cell: Int32Array
  head = 0
  tail = 0
  /** Minutes in the set, and what they cost together. */
  totalMinutes = 0
  totalCost = 0

  /** Each of the `cells` may be added twice. */
  constructor(cells: number) {
    const room = 2 * cells + 4
    this.price = new Float64Array(room)
    this.minutes = new Int32Array(room)
    this.cell = new Int32Array(room)
  }

  clear(): void {
    this.head = this.tail = this.totalMinutes = this.totalCost = 0
  }

  /** Adds minutes of a cell; beyond `limit` minutes the most expensive ones are dropped. */
  add(price: number, minutes: number, cell: number, limit: number): void {
    if (minutes <= 0) return
    const prices = this.price
    if (this.totalMinutes >= limit && price > prices[this.head]!) return
    let at = this.tail++
    while (at > this.head && prices[at - 1]! < price) {
      prices[at] = prices[at - 1]!
      this.minutes[at] = this.minutes[at - 1]!
      this.cell[at] = this.cell[at - 1]!
      at--
    }
    prices[at] = price
    this.minutes[at] = minutes
    this.cell[at] = cell
    this.totalMinutes += minutes
    this.totalCost += minutes * price
    while (this.totalMinutes > limit) {
      const over = Math.min(this.totalMinutes - limit, this.minutes[this.head]!)
      this.totalMinutes -= over
      this.totalCost -= over * prices[this.head]!
      this.minutes[this.head]! -= over
      if (!this.minutes[this.head]) this.head++
    }
  }
}

/** A copy of the set at the best completion found. */
export class ChosenMinutes {
  readonly cell: Int32Array
  readonly minutes: Int32Array
  count = 0

  constructor(cells: number) {
    this.cell = new Int32Array(2 * cells + 4)
    this.minutes = new Int32Array(2 * cells + 4)
  }

  /** Copies the set without its `leftOut` most expensive minutes, and adds `extra` minutes of a cell. */
  copy(candidates: CheapestMinutes, leftOut: number, cell: number, extra: number): void {
    this.count = 0
    for (let at = candidates.head; at < candidates.tail; at++) {
      const minutes = candidates.minutes[at]!
      const dropped = Math.min(minutes, leftOut)
      leftOut -= dropped
      if (minutes > dropped) this.add(candidates.cell[at]!, minutes - dropped)
    }
    if (extra) this.add(cell, extra)
  }

  private add(cell: number, minutes: number): void {
    this.cell[this.count] = cell
    this.minutes[this.count++] = minutes
  }
}
