// Occupied time as a sorted set of intervals; touching intervals are merged. A full day is one
// interval, so a search for a gap skips it in one step. The timeline is a class because the innermost
// loop of the planner reads its arrays directly.
import type { DailyLimit } from '../problem/daily-limit.ts'
import { pauseAfter, type Pauses } from '../problem/pauses.ts'

const NO_DAYS: Int32Array = new Int32Array(0)

/** A session occupies its minutes and the pause after it, and counts toward the limit of its day. */
type SessionRules = { pauses: Pauses | null; dailyLimit: DailyLimit | null }

export class Timeline {
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  size = 0
  /** Minutes of sessions on each day; empty without a daily limit. */
  readonly used: Int32Array
  private readonly pauses: Pauses | null
  private readonly dailyLimit: DailyLimit | null
  /** Incremented whenever time becomes free, since cached facts about full time are then invalid. */
  freed = 0

  constructor({ pauses, dailyLimit }: SessionRules = { pauses: null, dailyLimit: null }) {
    this.pauses = pauses
    this.dailyLimit = dailyLimit
    this.used = dailyLimit ? new Int32Array(dailyLimit.capacity.length) : NO_DAYS
  }

  clear(): void {
    this.size = 0
    this.used.fill(0)
    this.freed++
  }

  /** Where the session and its pause end. */
  occupiedUntil(start: number, end: number): number {
    return this.pauses === null ? end : end + pauseAfter(this.pauses, end - start)
  }

  /** Adds a session after all others. */
  append(start: number, end: number): void {
    if (this.dailyLimit !== null) this.used[this.dailyLimit.dayOf[start]!]! += end - start
    this.appendInterval(start, this.occupiedUntil(start, end))
  }

  /** Adds an interval after all others. */
  appendInterval(start: number, end: number): void {
    const { size } = this
    if (size > 0 && this.ends[size - 1] === start) this.ends[size - 1] = end
    else {
      if (size === this.starts.length) this.grow(size + 1)
      this.starts[size] = start
      this.ends[size] = end
      this.size++
    }
  }

  /** Number of the first interval that ends after the minute; `size` if none does. */
  after(minute: number): number {
    const ends = this.ends
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! > minute) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Whether a session may be inserted. `more` are further minutes to count toward its daily limit. */
  isFree(start: number, end: number, more = 0): boolean {
    const { dailyLimit } = this
    if (dailyLimit !== null) {
      const day = dailyLimit.dayOf[start]!
      if (this.used[day]! + end - start + more > dailyLimit.capacity[day]!) return false
    }
    const i = this.after(start)
    return i === this.size || this.starts[i]! >= this.occupiedUntil(start, end)
  }

  /** Adds a session. Its stretch must be free. */
  insert(start: number, end: number): void {
    if (this.dailyLimit !== null) this.used[this.dailyLimit.dayOf[start]!]! += end - start
    this.insertInterval(start, this.occupiedUntil(start, end))
  }

  private insertInterval(start: number, end: number): void {
    const { starts, ends, size } = this
    const i = this.after(start)
    const joinsLeft = i > 0 && ends[i - 1] === start
    const joinsRight = i < size && starts[i] === end
    if (joinsLeft && joinsRight) {
      ends[i - 1] = ends[i]!
      this.shift(i + 1, -1)
    } else if (joinsLeft) ends[i - 1] = end
    else if (joinsRight) starts[i] = start
    else {
      this.shift(i, 1)
      this.starts[i] = start
      this.ends[i] = end
    }
  }

  /** Removes a session. Its stretch must be occupied. */
  remove(start: number, end: number): void {
    if (this.dailyLimit !== null) this.used[this.dailyLimit.dayOf[start]!]! -= end - start
    this.removeInterval(start, this.occupiedUntil(start, end))
  }

  private removeInterval(start: number, end: number): void {
    this.freed++
    const i = this.after(start)
    const from = this.starts[i]!
    const until = this.ends[i]!
    if (from === start && until === end) this.shift(i + 1, -1)
    else if (from === start) this.starts[i] = end
    else if (until === end) this.ends[i] = start
    else {
      this.shift(i + 1, 1)
      this.ends[i] = start
      this.starts[i + 1] = end
      this.ends[i + 1] = until
    }
  }

  copy(other: Timeline): void {
    if (this.starts.length < other.size) this.grow(other.size)
    const { starts, ends } = this
    const size = other.size
    // A loop beats set(subarray) for the few dozen intervals that there are.
    for (let i = 0; i < size; i++) {
      starts[i] = other.starts[i]!
      ends[i] = other.ends[i]!
    }
    this.size = size
    for (let day = 0; day < this.used.length; day++) this.used[day] = other.used[day]!
    this.freed++
  }

  equals(other: Timeline): boolean {
    const size = this.size
    if (size !== other.size) return false
    // From the end, where two plans differ most often.
    for (let i = size - 1; i >= 0; i--) {
      if (this.starts[i] !== other.starts[i] || this.ends[i] !== other.ends[i]) return false
    }
    for (let day = 0; day < this.used.length; day++) {
      if (this.used[day] !== other.used[day]) return false
    }
    return true
  }

  /** Moves the intervals from number `i` on by one place to the left or to the right. */
  private shift(i: number, by: 1 | -1): void {
    if (this.size + by > this.starts.length) this.grow(this.size + by)
    const { starts, ends, size } = this
    // Loops, since copyWithin takes longer to start than to move these few.
    if (by > 0) {
      for (let k = size; k > i; k--) {
        starts[k] = starts[k - 1]!
        ends[k] = ends[k - 1]!
      }
    } else {
      for (let k = i; k < size; k++) {
        starts[k - 1] = starts[k]!
        ends[k - 1] = ends[k]!
      }
    }
    this.size += by
  }

  private grow(size: number): void {
    const { starts, ends } = this
    this.starts = new Int32Array(2 * size)
    this.ends = new Int32Array(2 * size)
    this.starts.set(starts)
    this.ends.set(ends)
  }
}
