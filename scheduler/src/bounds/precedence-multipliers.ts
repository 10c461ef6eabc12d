// Dependencies by prices: whoever waits for another pays for every minute that it is early, and the
// other is paid for being done. With the right prices nobody wants to start before the other is done.
import type { Compiled } from '../problem/compile.ts'

/**
 * In any plan what is done of the second by the end of a stage of the horizon is nothing, unless the
 * first is done by then. `early` is the price on that, per minute of the second; `ahead` by how many
 * minutes it is broken.
 */
export class Links {
  /** Numbers of buyers: the second waits for the first. */
  readonly pairs: readonly (readonly [first: number, second: number])[]
  readonly stages: number
  /** Per pair and stage. */
  readonly early: Float64Array
  readonly ahead: Float64Array
  /** Per buyer: where its stages begin in the arrays below; -1 if nobody waits. */
  readonly at: Int32Array
  /** Per stage: what a minute there costs more, and what an end there brings in. */
  readonly surcharge: Float64Array
  readonly reward: Float64Array
  /** Per stage the minutes bought. */
  readonly bought: Float64Array
  /** Per buyer the stage in which it is done; `stages` if it is not. */
  readonly doneIn: Int32Array

  private readonly need: Int32Array

  constructor(
    { predecessors }: Compiled,
    buyers: readonly number[],
    need: Int32Array,
    stages: number,
  ) {
    const number = new Map(buyers.map((j, b) => [j, b]))
    this.pairs = buyers.flatMap((j, second) =>
      Array.from(predecessors[j]!).flatMap((i): [number, number][] => {
        const first = number.get(i)
        return first === undefined ? [] : [[first, second]]
      }),
    )
    this.stages = stages
    this.need = need
    this.early = new Float64Array(this.pairs.length * stages)
    this.ahead = new Float64Array(this.pairs.length * stages)
    this.at = new Int32Array(buyers.length).fill(-1)
    let size = 0
    for (const b of this.pairs.flat()) {
      if (this.at[b]! >= 0) continue
      this.at[b] = size
      size += stages
    }
    this.surcharge = new Float64Array(size)
    this.reward = new Float64Array(size)
    this.bought = new Float64Array(size)
    this.doneIn = new Int32Array(buyers.length)
  }

  /** Minutes of the second at a place in `early` and `ahead`. */
  minutesAt(i: number): number {
    return this.need[this.pairs[Math.floor(i / this.stages)]![1]]!
  }

  /** Takes over the prices in `early`. */
  charge(): void {
    const { stages, surcharge, reward, early } = this
    this.bought.fill(0)
    surcharge.fill(0)
    reward.fill(0)
    for (const [l, [first, second]] of this.pairs.entries()) {
      const done = this.at[first]!
      const work = this.at[second]!
      let sum = 0
      for (let s = stages - 1; s >= 0; s--) {
        sum += early[l * stages + s]!
        surcharge[work + s]! += sum
        reward[done + s]! += sum * this.need[second]!
      }
    }
  }

  /** Writes `ahead` from what was bought. */
  compare(): void {
    const { stages, ahead } = this
    for (const [l, [first, second]] of this.pairs.entries()) {
      const work = this.at[second]!
      let sum = 0
      for (let s = 0; s < stages; s++) {
        sum += this.bought[work + s]!
        ahead[l * stages + s] = sum - (this.doneIn[first]! <= s ? this.need[second]! : 0)
      }
    }
  }
}
