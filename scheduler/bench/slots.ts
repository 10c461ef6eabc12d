// A simple calendar for the baselines, minute by minute.
import type { Compiled } from '../src/problem/compile.ts'
import { legalLength } from '../src/problem/sessions.ts'

export class Slots {
  private readonly compiled: Compiled
  private readonly taken: Uint8Array
  /** Per window set and minute, without any blocks: how long it stays open, or minus how long it
   *  stays closed; 0 if it does not open again. */
  private readonly open: Int32Array[]

  constructor(compiled: Compiled) {
    this.compiled = compiled
    this.taken = new Uint8Array(compiled.horizon + 1)
    this.open = compiled.classes.map(({ free }) => {
      const left = new Int32Array(compiled.horizon + 1)
      for (let i = 0; i < free.length; i += 2) {
        for (let t = free[i - 1] ?? 0; t < free[i]!; t++) left[t] = t - free[i]!
        for (let t = free[i]!; t < free[i + 1]!; t++) left[t] = free[i + 1]! - t
      }
      return left
    })
  }

  take(pairs: number[]): void {
    for (let i = 0; i < pairs.length; i += 2) this.taken.fill(1, pairs[i], pairs[i + 1])
  }

  isFree(j: number, start: number, end: number): boolean {
    if (this.open[this.compiled.classOf[j]!]![start]! < end - start) return false
    return !this.taken.subarray(start, end).includes(1)
  }

  /** Sessions for the whole task from minute `from` on, each as early and as long as it may be. */
  earliest(j: number, from: number): number[] {
    const { need, min, max, split, cooldown, classOf, horizon } = this.compiled
    const open = this.open[classOf[j]!]!
    const found: number[] = []
    let rest = need[j]!
    for (let t = from; t < horizon && rest > 0;) {
      if (open[t]! <= 0) {
        // Closed: minus the distance to the next open minute.
        t = open[t] === 0 ? horizon : t - open[t]!
        continue
      }
      const next = this.taken.subarray(t, t + open[t]!).indexOf(1)
      const room = next < 0 ? open[t]! : next
      if (room === 0) {
        t = this.taken.indexOf(0, t)
        continue
      }
      const length = split[j]
        ? legalLength(rest, Math.min(min[j]!, need[j]!), max[j]!, room)
        : room >= rest
          ? rest
          : 0
      if (length > 0) {
        found.push(t, t + length)
        rest -= length
        t += length + cooldown[j]!
      } else t += room
    }
    return found
  }
}
