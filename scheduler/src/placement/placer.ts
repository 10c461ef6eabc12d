// Serial placement: one task at a time, in the earliest legal gaps.
import type { Compiled } from '../problem/compile.ts'
import { firstAfter, pairsOf, union } from '../problem/intervals.ts'
import { longestBefore, pauseAfter } from '../problem/pauses.ts'
import type { PreferredTime } from '../problem/preferred-times.ts'
import { comfortable, legalLength, looseLength, useful } from '../problem/sessions.ts'
import { Timeline } from './timeline.ts'

/** An extra session of a late task must bring its end forward by this many minutes. */
const MIN_GAIN_PER_FRAGMENT = 30

const NEVER = 0x7fffffff
const NO_GUARDS: Int32Array = new Int32Array(0)

/** The number of a preferred part in the list of free times, and the delay that it may cause. */
type PreferredPart = { number: number; maxDelay: number }

export class Placer {
  /** Occupied time. Time that is closed to all tasks counts as occupied, so that a full day is one
   *  interval. If sessions have pauses it does not count, since a pause may lie in closed time. */
  timeline: Timeline
  readonly closed: Timeline

  /** The sessions that `fit` found, as pairs. They are not in the timeline yet. */
  found: number[] = []
  /** Minutes that could not be placed. */
  rest = 0
  /** End of the last session found. */
  end = 0

  private spareList: number[] = []
  private readonly compiled: Compiled
  /** The free time of each window set, followed by the preferred parts. */
  private readonly free: Int32Array[]
  private readonly preferredOfAll: PreferredPart[][]
  private readonly preferredOfLong: PreferredPart[][]
  /** The part that `attempt` is limited to; -1 for all free time. */
  private part = -1
  /** Per entry of `free`: from `fullFrom` on, no gap is longer than `widest`. Valid for the timeline
   *  `known` until time is freed in it. With too much work, this ends most attempts at once. */
  private readonly fullFrom: Int32Array
  private readonly widest: Int32Array
  private known: Timeline
  private knownFreed = -1

  constructor(compiled: Compiled) {
    this.compiled = compiled
    this.timeline = new Timeline(compiled)
    this.known = this.timeline
    this.free = compiled.classes.map((one) => one.free)
    const addPreferred = ({ free, maxDelay }: PreferredTime) => {
      return { number: this.free.push(free) - 1, maxDelay }
    }
    this.preferredOfAll = compiled.classes.map(({ preferred }) => preferred.all.map(addPreferred))
    this.preferredOfLong = compiled.classes.map(({ preferred }) => preferred.long.map(addPreferred))
    this.fullFrom = new Int32Array(this.free.length)
    this.widest = new Int32Array(this.free.length)
    this.closed = closedTime(compiled)
    this.clear()
  }

  /** Removes all sessions. */
  clear(): void {
    this.timeline.copy(this.closed)
  }

  /**
   * Finds places for `need` minutes of task `j` from minute `from` on. `quota` is how many of them
   * to place now: fewer than the need if the task has a later turn. `guards` are stretches to avoid
   * in addition to the guards of the task.
   */
  fit(j: number, need: number, from: number, quota = need, guards: Int32Array = NO_GUARDS): void {
    if (this.fitPreferred(j, need, from, quota, guards)) return
    const { min, max, split, due } = this.compiled
    if (!split[j]) {
      this.attempt(j, need, from, need, need, need, guards, false)
      return
    }
    const most = max[j]!
    const shortest = Math.min(min[j]!, need)
    const least = useful(need, shortest, most)
    const comfort = comfortable(need, least, most)
    this.attempt(j, need, from, quota, comfort, most, guards, false)
    if (quota < need || (this.rest === 0 && this.end <= due[j]!)) return
    if (comfort > least) this.attemptBetter(j, need, from, least, most, guards, false)
    if (this.rest > 0 && shortest < least) {
      this.attemptBetter(j, need, from, shortest, most, guards, false)
    }
    // Some minutes remain left over, so a session need not leave a rest that can be cut legally.
    if (this.rest > 0) this.attemptBetter(j, need, from, shortest, most, guards, true)
  }

  /** Finds places for a part of a task whose other sessions are kept. Uses no session below the minimum. */
  fitMore(j: number, need: number, from: number, guards: Int32Array): void {
    const { min, max, split } = this.compiled
    if (split[j]) this.attempt(j, need, from, need, min[j]!, max[j]!, guards, true)
    else this.attempt(j, need, from, 0, need, need, guards, false)
  }

  /** Adds the sessions found to the timeline. */
  commit(): void {
    const { found, timeline } = this
    for (let i = 0; i < found.length; i += 2) timeline.insert(found[i]!, found[i + 1]!)
  }

  /** Finds places in a preferred part of the free time: the last part that neither makes the task too
   *  late nor leaves work over. Returns false if there is none. */
  private fitPreferred(
    j: number,
    need: number,
    from: number,
    quota: number,
    guards: Int32Array,
  ): boolean {
    const { min, max, split, due, classOf, isLong } = this.compiled
    const parts = (isLong[j] ? this.preferredOfLong : this.preferredOfAll)[classOf[j]!]!
    if (parts.length === 0) return false
    const most = split[j] ? max[j]! : need
    const least = split[j] ? comfortable(need, Math.min(min[j]!, need), most) : need
    const wanted = split[j] ? quota : need
    let fits = false
    for (const { number, maxDelay } of parts) {
      const { found, rest, end } = this
      this.found = this.spareList
      this.spareList = found
      this.part = number
      this.attempt(j, need, from, wanted, least, most, guards, false)
      const isLater = this.end > due[j]! || (fits && this.end > end + maxDelay)
      if (isLater || this.rest > need - wanted) {
        this.restore(found, rest, end)
        break
      }
      fits = true
    }
    this.part = -1
    return fits
  }

  private attemptBetter(
    j: number,
    need: number,
    from: number,
    least: number,
    most: number,
    guards: Int32Array,
    loose: boolean,
  ): void {
    const { found, rest, end } = this
    this.found = this.spareList
    this.spareList = found
    this.attempt(j, need, from, need, least, most, guards, loose)
    if (this.rest < rest) return
    if (this.rest === rest && rest === 0) {
      const due = this.compiled.due[j]!
      if (this.end <= due) return
      const fragments = (this.found.length - found.length) / 2
      if (end - this.end > MIN_GAIN_PER_FRAGMENT * Math.max(0, fragments)) return
    }
    this.restore(found, rest, end)
  }

  private restore(found: number[], rest: number, end: number): void {
    this.spareList = this.found
    this.found = found
    this.rest = rest
    this.end = end
  }

  private attempt(
    j: number,
    need: number,
    from: number,
    quota: number,
    least: number,
    most: number,
    guards: Int32Array,
    loose: boolean,
  ): void {
    const { timeline, compiled, found } = this
    const { pauses, dailyLimit } = compiled
    const limited = pauses !== null || dailyLimit !== null
    const k = this.part < 0 ? compiled.classOf[j]! : this.part
    found.length = 0
    if (this.isKnownFull(k, from, least)) {
      this.rest = need
      this.end = 0
      return
    }
    const { starts, ends, size } = timeline
    const free = this.free[k]!
    const kept = compiled.guards[j]!
    const guarded = kept.length > 0 || guards.length > 0
    const cooldown = compiled.cooldown[j]!
    let widest = 0
    let rest = need
    let end = 0
    let minute = from
    let f = firstAfter(free, minute)
    let o = timeline.after(minute)
    while (quota > 0 && f < free.length) {
      const open = free[f]!
      const start = open > minute ? open : minute
      while (o < size && ends[o]! <= start) o++
      let until = free[f + 1]!
      if (o < size) {
        const taken = starts[o]!
        if (taken <= start) {
          minute = ends[o]!
          while (f < free.length && free[f + 1]! <= minute) f += 2
          continue
        }
        if (taken < until) until = taken
      }
      if (guarded) {
        const clear = Math.max(clearOf(kept, start), clearOf(guards, start))
        if (clear > start) {
          minute = clear
          while (f < free.length && free[f + 1]! <= minute) f += 2
          continue
        }
        until = Math.min(until, nextOf(kept, start), nextOf(guards, start))
      }
      let gap = until - start
      if (limited) gap = Math.min(gap, this.longestAt(start, o < size ? starts[o]! : NEVER))
      if (gap > widest) widest = gap
      const room = gap < quota ? gap : quota
      const length = loose
        ? looseLength(rest, least, most, room)
        : legalLength(rest, least, most, room)
      if (length > 0) {
        end = start + length
        found.push(start, end)
        rest -= length
        quota -= length
        minute = end + (pauses === null ? cooldown : Math.max(cooldown, pauseAfter(pauses, length)))
      } else minute = until
      while (f < free.length && free[f + 1]! <= minute) f += 2
    }
    this.rest = rest
    this.end = end
    if (rest === need && quota > 0 && !guarded) {
      this.fullFrom[k] = from
      this.widest[k] = widest
    }
  }

  /** Whether an earlier attempt found no gap of this length in the free time `k` from the minute on. */
  private isKnownFull(k: number, from: number, least: number): boolean {
    const { timeline, fullFrom } = this
    if (this.known === timeline && this.knownFreed === timeline.freed) {
      return from >= fullFrom[k]! && least > this.widest[k]!
    }
    this.known = timeline
    this.knownFreed = timeline.freed
    fullFrom.fill(NEVER)
    return false
  }

  /** The longest session from the minute on that leaves its pause before `taken` and keeps to the
   *  limit of its day. */
  private longestAt(start: number, taken: number): number {
    const { pauses, dailyLimit } = this.compiled
    const longest = pauses === null ? NEVER : longestBefore(pauses, taken - start)
    if (dailyLimit === null) return longest
    const { dayOf, capacity } = dailyLimit
    const day = dayOf[start]!
    let left = capacity[day]! - this.timeline.used[day]!
    const { found } = this
    for (let i = found.length - 2; i >= 0 && dayOf[found[i]!] === day; i -= 2) {
      left -= found[i + 1]! - found[i]!
    }
    return Math.min(longest, left)
  }
}

const closedTime = (compiled: Compiled): Timeline => {
  const { classes, horizon } = compiled
  const closed = new Timeline(compiled)
  if (compiled.pauses !== null) return closed
  const open = union(classes.flatMap(({ free }) => pairsOf(free)))
  let from = 0
  for (let i = 0; i < open.length; i += 2) {
    if (open[i]! > from) closed.appendInterval(from, open[i]!)
    from = open[i + 1]!
  }
  if (from < horizon) closed.appendInterval(from, horizon)
  return closed
}

/** The minute itself, or the end of the pair that contains it. */
const clearOf = (pairs: Int32Array, minute: number): number => {
  const i = firstAfter(pairs, minute)
  return i < pairs.length && pairs[i]! <= minute ? pairs[i + 1]! : minute
}

/** The start of the first pair that ends after the minute; `Infinity` if there is none. */
const nextOf = (pairs: Int32Array, minute: number): number => {
  const i = firstAfter(pairs, minute)
  return i < pairs.length ? pairs[i]! : Infinity
}
