// What a task buys of the time on offer: the cheapest minutes that it has seen so far.

export class Basket {
  /** Cells by falling price, from `head` to `tail`. */
  readonly price: Float64Array
  readonly minutes: Int32Array
  readonly cell: Int32Array
  head = 0
  tail = 0
  /** Minutes in it, and what they cost together. */
  held = 0
  paid = 0

  /** `cells` may be put in twice each. */
  constructor(cells: number) {
    const room = 2 * cells + 4
    this.price = new Float64Array(room)
    this.minutes = new Int32Array(room)
    this.cell = new Int32Array(room)
  }

  clear(): void {
    this.head = this.tail = this.held = this.paid = 0
  }

  /** Adds what is cheaper than the dearest in the basket, which makes way beyond `most` minutes. */
  put(price: number, minutes: number, cell: number, most: number): void {
    if (minutes <= 0) return
    const prices = this.price
    if (this.held >= most && price > prices[this.head]!) return
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
    this.held += minutes
    this.paid += minutes * price
    while (this.held > most) {
      const over = Math.min(this.held - most, this.minutes[this.head]!)
      this.held -= over
      this.paid -= over * prices[this.head]!
      this.minutes[this.head]! -= over
      if (!this.minutes[this.head]) this.head++
    }
  }
}

/** A basket as it was at some time. */
export class Bought {
  readonly cell: Int32Array
  readonly minutes: Int32Array
  count = 0

  constructor(cells: number) {
    this.cell = new Int32Array(2 * cells + 4)
    this.minutes = new Int32Array(2 * cells + 4)
  }

  /** The basket without its `without` dearest minutes, with `extra` minutes of a cell. */
  copy(basket: Basket, without: number, cell: number, extra: number): void {
    this.count = 0
    for (let at = basket.head; at < basket.tail; at++) {
      const minutes = basket.minutes[at]!
      const gone = Math.min(minutes, without)
      without -= gone
      if (minutes > gone) this.add(basket.cell[at]!, minutes - gone)
    }
    if (extra) this.add(cell, extra)
  }

  private add(cell: number, minutes: number): void {
    this.cell[this.count] = cell
    this.minutes[this.count++] = minutes
  }
}
