// Decodes a sequence of turns into a plan (serial schedule generation) and evaluates changed sequences
// quickly: it decodes only from the first change on, stops once the cost is expected to exceed the limit,
// and stops where the occupied time equals that of the current sequence, since the rest is then equal.
import type { Cost } from '../model.ts'
import { compareCosts, EARLINESS_UNIT, earlinessOf, latenessOf, riskOf } from '../objective/cost.ts'
import type { Compiled } from '../problem/compile.ts'
import { Placer } from './placer.ts'
import { Timeline } from './timeline.ts'

/** A part of a task in the sequence. It places `quota` minutes; the last turn of a task places the rest. */
export type Turn = { task: number; quota: number }

/** A move is assumed to save at most this share of the avoidable lateness of the turns not yet decoded.
 *  A larger share is safer but slower: more sequences are decoded in full for moves that save nothing. */
const TAIL_GAIN = 0.1

export class Decoder {
  /** Number of turns. */
  readonly size: number
  readonly taskOf: Int32Array
  /** Per turn: the previous and the next turn of the same task; -1 if there is none. */
  readonly before: Int32Array
  readonly after: Int32Array
  /** Minutes to place per turn; all that is left in the last turn of a task. */
  readonly quota: Int32Array
  /** Per task: its first and last turn; -1 for a task that needs no time. */
  readonly firstTurn: Int32Array
  readonly lastTurn: Int32Array
  /** The current sequence, and the place of each turn in it. */
  readonly order: Int32Array
  readonly place: Int32Array
  /** The results per turn of the current sequence. The last turn of a task carries its lateness. */
  readonly lateness: Float64Array
  readonly leftOver: Float64Array
  readonly earliness: Float64Array
  readonly rest: Int32Array
  readonly begin: Int32Array
  readonly end: Int32Array
  /** Per turn: the lateness that no sequence can avoid. */
  readonly unavoidable: Float64Array
  /** The cost of the current sequence, without tasks that need no time. */
  cost: Cost = { lateness: 0, leftOver: 0, earliness: 0 }
  /** The work done so far, measured in whole sequences. */
  decodes = 0

  private readonly compiled: Compiled
  private readonly placer: Placer
  private readonly step: number
  private readonly snapshots: Timeline[] = []
  private readonly newSnapshots: Timeline[] = []
  private readonly valid: Uint8Array
  private readonly count: Int32Array
  private readonly avoidable: Float64Array

  // Results for the sequence being tried, valid for turns whose `stamp` equals `generation`.
  private readonly stamp: Int32Array
  private generation = 0
  private readonly newLateness: Float64Array
  private readonly newLeftOver: Float64Array
  private readonly newEarliness: Float64Array
  private readonly newRest: Int32Array
  private readonly newEnd: Int32Array
  private readonly newStart: Int32Array
  private readonly newCount: Int32Array
  private readonly touched: Int32Array
  private touchedCount = 0
  private newFrom = 0
  private newUntil = 0
  private skippedFrom = 0
  private skippedUntil = 0
  private readonly newCost: Cost = { lateness: 0, leftOver: 0, earliness: 0 }

  constructor(compiled: Compiled, placer: Placer, turns: Turn[], unavoidable: Float64Array) {
    const n = compiled.need.length
    const size = turns.length
    this.compiled = compiled
    this.placer = placer
    this.size = size
    this.taskOf = Int32Array.from(turns, (turn) => turn.task)
    this.quota = Int32Array.from(turns, (turn) => turn.quota)
    this.before = new Int32Array(size).fill(-1)
    this.after = new Int32Array(size).fill(-1)
    this.firstTurn = new Int32Array(n).fill(-1)
    this.lastTurn = new Int32Array(n).fill(-1)
    for (let e = 0; e < size; e++) {
      const j = this.taskOf[e]!
      const earlier = this.lastTurn[j]!
      this.before[e] = earlier
      if (earlier >= 0) this.after[earlier] = e
      else this.firstTurn[j] = e
      this.lastTurn[j] = e
    }
    this.order = Int32Array.from(turns, (_, e) => e)
    this.place = this.order.slice()
    this.step = size <= 64 ? 4 : size <= 1000 ? 8 : 16
    this.valid = new Uint8Array(Math.floor(size / this.step) + 2)
    this.unavoidable = Float64Array.from(turns, (turn, e) =>
      this.after[e] === -1 ? unavoidable[turn.task]! : 0,
    )
    this.lateness = new Float64Array(size)
    this.leftOver = new Float64Array(size)
    this.earliness = new Float64Array(size)
    this.rest = new Int32Array(size)
    this.end = new Int32Array(size)
    this.begin = new Int32Array(size)
    this.count = new Int32Array(size)
    this.avoidable = new Float64Array(size + 1)
    this.stamp = new Int32Array(size)
    this.newLateness = new Float64Array(size)
    this.newLeftOver = new Float64Array(size)
    this.newEarliness = new Float64Array(size)
    this.newRest = new Int32Array(size)
    this.newEnd = new Int32Array(size)
    this.newStart = new Int32Array(size)
    this.newCount = new Int32Array(size)
    this.touched = new Int32Array(size)
    this.snapshots[0] = new Timeline(compiled)
    this.snapshots[0].copy(placer.closed)
    this.valid[0] = 1
    this.generation++
    placer.clear()
    for (let e = 0; e < size; e++) {
      this.decode(e)
      this.stamp[e] = this.generation
      this.cost.lateness += this.newLateness[e]!
      this.cost.leftOver += this.newLeftOver[e]!
      this.cost.earliness += this.newEarliness[e]!
    }
  }

  /** Makes the sequence the current one regardless of its cost. Must be called before the first `try`. */
  start(sequence: Int32Array): void {
    const { size } = this
    this.cost = { lateness: 0, leftOver: 0, earliness: 0 }
    for (const costs of [this.lateness, this.leftOver, this.earliness]) costs.fill(0)
    this.avoidable.fill(Infinity)
    this.valid.fill(0, 1)
    this.try(sequence, 0, size - 1, 0, 0, { lateness: Infinity, leftOver: 0, earliness: 0 })
    this.accept(sequence, 0, size - 1)
  }

  /**
   * Decodes `sequence`, which differs from the current one at the places `low` to `high`. Its turns
   * from `low + shift` to `shiftedUntil + shift` are those of the current one from `low` on. Returns
   * whether the cost is at most `limit`.
   */
  try(
    sequence: Int32Array,
    low: number,
    high: number,
    shiftedUntil: number,
    shift: number,
    limit: Cost,
  ): boolean {
    const { step, size, valid, snapshots, stamp, placer, newCost, cost } = this
    const { timeline } = placer
    const generation = ++this.generation
    this.touchedCount = 0
    this.skippedFrom = this.skippedUntil = 0

    let from = Math.floor(low / step)
    while (!valid[from]) from--
    timeline.copy(snapshots[from]!)
    let at = from * step
    this.newFrom = from + 1
    this.newUntil = from
    for (; at < low; at++) {
      if (at % step === 0 && at > from * step) this.saveSnapshot(at / step)
      this.repeat(this.order[at]!)
    }

    let lateness = cost.lateness
    let leftOver = cost.leftOver
    let earliness = cost.earliness
    let avoidable = this.avoidable[low]!
    let changed = 0
    let skipped = shift === 0
    while (at < size) {
      if (at % step === 0) {
        if (changed === 0 && at > high && valid[at / step]) {
          if (timeline.equals(snapshots[at / step]!)) break
        }
        if (at > from * step) this.saveSnapshot(at / step)
      }
      if (!skipped && changed === 0 && (at - shift) % step === 0 && at - shift > low) {
        // A part that is only shifted and starts from the same timeline need not be decoded again.
        const last = Math.floor(shiftedUntil / step)
        if (at - shift + 2 * step > last * step) skipped = true
        else if (valid[(at - shift) / step] && valid[last]) {
          if (timeline.equals(snapshots[(at - shift) / step]!)) {
            timeline.copy(snapshots[last]!)
            this.skippedFrom = at
            at = last * step + shift
            this.skippedUntil = at
            skipped = true
            avoidable = Infinity
            continue
          }
        }
      }
      const e = at <= high ? sequence[at]! : this.order[at]!
      this.decode(e)
      stamp[e] = generation
      this.touched[this.touchedCount++] = e
      lateness += this.newLateness[e]! - this.lateness[e]!
      leftOver += this.newLeftOver[e]! - this.leftOver[e]!
      earliness += this.newEarliness[e]! - this.earliness[e]!
      avoidable -= this.lateness[e]! - this.unavoidable[e]!
      if (lateness - TAIL_GAIN * avoidable > limit.lateness) {
        this.decodes += (at - from * step) / size
        return false
      }
      if (this.newRest[e] !== this.rest[e] || this.newEnd[e] !== this.end[e]) {
        if (this.after[e]! >= 0 || this.compiled.successors[this.taskOf[e]!]!.length > 0) changed++
      }
      at++
    }
    this.decodes += (at - from * step) / size
    newCost.lateness = lateness
    newCost.leftOver = leftOver
    newCost.earliness = earliness
    return compareCosts(newCost, limit) <= 0
  }

  /** Makes the sequence that was tried last the current one. */
  accept(sequence: Int32Array, low: number, high: number): void {
    const { order, place, valid, snapshots, newSnapshots, step } = this
    for (let at = low; at <= high; at++) {
      const e = at <= high ? sequence[at]! : this.order[at]!
      order[at] = e
      place[e] = at
    }
    for (let i = 0; i < this.touchedCount; i++) {
      const e = this.touched[i]!
      this.lateness[e] = this.newLateness[e]!
      this.leftOver[e] = this.newLeftOver[e]!
      this.earliness[e] = this.newEarliness[e]!
      this.rest[e] = this.newRest[e]!
      this.end[e] = this.newEnd[e]!
      this.begin[e] = this.newStart[e]!
      this.count[e] = this.newCount[e]!
    }
    for (let k = this.newFrom; k <= this.newUntil; k++) {
      const old = snapshots[k]
      snapshots[k] = newSnapshots[k]!
      newSnapshots[k] = old ?? new Timeline(this.compiled)
      valid[k] = 1
    }
    // The skipped turns have other places now, so their snapshots are invalid.
    for (let k = Math.floor(this.skippedFrom / step) + 1; k * step < this.skippedUntil; k++) {
      valid[k] = 0
    }
    let gain = 0
    for (let at = this.size - 1; at >= 0; at--) {
      const e = order[at]!
      gain += this.lateness[e]! - this.unavoidable[e]!
      this.avoidable[at] = gain
    }
    this.cost = { ...this.newCost }
  }

  /** The current sequence. */
  turns(): Turn[] {
    return Array.from(this.order, (e) => ({ task: this.taskOf[e]!, quota: this.quota[e]! }))
  }

  /** Per task the pairs of its sessions, of the current sequence. */
  sessions(): number[][] {
    const sessions: number[][] = this.compiled.tasks.map(() => [])
    this.generation++
    this.placer.clear()
    for (const e of this.order) {
      this.decode(e)
      this.stamp[e] = this.generation
      sessions[this.taskOf[e]!]!.push(...this.placer.found)
    }
    return sessions
  }

  /** Places the turn as in the current sequence. */
  private repeat(e: number): void {
    if (this.count[e] === 0) return
    if (this.count[e] === 1) this.placer.timeline.insert(this.begin[e]!, this.end[e]!)
    else this.decode(e)
  }

  private decode(e: number): void {
    const { compiled, placer, before, stamp, generation } = this
    const j = this.taskOf[e]!
    const earlier = before[e]!
    let need = compiled.need[j]!
    let from = compiled.release[j]!
    let end = 0
    if (earlier >= 0) {
      const tried = stamp[earlier] === generation
      need = tried ? this.newRest[earlier]! : this.rest[earlier]!
      end = tried ? this.newEnd[earlier]! : this.end[earlier]!
      if (end > 0) from = Math.max(from, end + compiled.cooldown[j]!)
    }
    let possible = need > 0 && compiled.blocked[j] === 0
    const waitsFor = compiled.predecessors[j]!
    for (let i = 0; i < waitsFor.length; i++) {
      const last = this.lastTurn[waitsFor[i]!]!
      if (last < 0) continue
      const tried = stamp[last] === generation
      if ((tried ? this.newRest[last]! : this.rest[last]!) > 0) possible = false
      from = Math.max(from, tried ? this.newEnd[last]! : this.end[last]!)
    }

    let earliness = 0
    let count = 0
    const isLast = this.after[e] === -1
    if (possible) {
      placer.fit(j, need, from, isLast ? need : Math.min(need, this.quota[e]!))
      const { found, timeline } = placer
      const weight = compiled.weight[j]!
      count = found.length >> 1
      for (let i = 0; i < found.length; i += 2) {
        timeline.insert(found[i]!, found[i + 1]!)
        earliness += earlinessOf(weight, found[i]!, found[i + 1]!)
      }
      need = placer.rest
      if (count > 0) {
        end = placer.end
        this.newStart[e] = found[0]!
      }
    } else placer.found.length = 0
    this.newCount[e] = count
    this.newRest[e] = need
    this.newEnd[e] = end
    const risk = isLast ? EARLINESS_UNIT * riskOf(compiled, j, end, need) : 0
    this.newEarliness[e] = earliness + risk
    this.newLateness[e] = isLast ? latenessOf(compiled, j, end, need) : 0
    this.newLeftOver[e] = isLast ? compiled.weight[j]! * need : 0
  }

  private saveSnapshot(k: number): void {
    ;(this.newSnapshots[k] ??= new Timeline(this.compiled)).copy(this.placer.timeline)
    this.newUntil = k
  }
}
