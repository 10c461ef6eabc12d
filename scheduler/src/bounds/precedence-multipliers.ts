// Lagrangian multipliers for precedence constraints: a successor pays for each minute of work before
// its predecessor is done, and the predecessor is rewarded for an early completion.
import type { Compiled } from '../problem/compile.ts'

/**
 * The relaxed constraint, per pair and stage: the second task has no minutes by the end of the stage
 * unless the first is done by then. `multiplier` is the price per minute of the second task;
 * `violation` is the number of minutes by which the constraint is violated.
 */
export class PrecedenceMultipliers {
  /** Positions in the list of undecided tasks: the second waits for the first. */
  readonly pairs: readonly (readonly [first: number, second: number])[]
  readonly stages: number
  /** Per pair and stage. */
  readonly multiplier: Float64Array
  readonly violation: Float64Array
  /** Per task: where its stages begin in the arrays below; -1 without a precedence constraint. */
  readonly offset: Int32Array
  /** Per stage: the extra price of a minute, and the reward for a completion in the stage. */
  readonly surcharge: Float64Array
  readonly reward: Float64Array
  /** Per stage the minutes chosen. */
  readonly chosen: Float64Array
  /** Per task the stage of its completion; `stages` if it is not completed. */
  readonly completionStage: Int32Array

  private readonly need: Int32Array

  constructor(
    { predecessors }: Compiled,
    undecided: readonly number[],
    need: Int32Array,
    stages: number,
  ) {
    const number = new Map(undecided.map((j, b) => [j, b]))
    this.pairs = undecided.flatMap((j, second) =>
      Array.from(predecessors[j]!).flatMap((i): [number, number][] => {
        const first = number.get(i)
        return first === undefined ? [] : [[first, second]]
      }),
    )
    this.stages = stages
    this.need = need
    this.multiplier = new Float64Array(this.pairs.length * stages)
    this.violation = new Float64Array(this.pairs.length * stages)
    this.offset = new Int32Array(undecided.length).fill(-1)
    let size = 0
    for (const b of this.pairs.flat()) {
      if (this.offset[b]! >= 0) continue
      this.offset[b] = size
      size += stages
    }
    this.surcharge = new Float64Array(size)
    this.reward = new Float64Array(size)
    this.chosen = new Float64Array(size)
    this.completionStage = new Int32Array(undecided.length)
  }

  /** Minutes of the second task at an index of `multiplier` and `violation`. */
  successorMinutes(i: number): number {
    return this.need[this.pairs[Math.floor(i / this.stages)]![1]]!
  }

  /** Computes surcharges and rewards from `multiplier`. */
  applyMultipliers(): void {
    const { stages, surcharge, reward, multiplier } = this
    this.chosen.fill(0)
    surcharge.fill(0)
    reward.fill(0)
    for (const [l, [first, second]] of this.pairs.entries()) {
      const firstOffset = this.offset[first]!
      const secondOffset = this.offset[second]!
      let sum = 0
      for (let s = stages - 1; s >= 0; s--) {
        sum += multiplier[l * stages + s]!
        surcharge[secondOffset + s]! += sum
        reward[firstOffset + s]! += sum * this.need[second]!
      }
    }
  }

  /** Computes `violation` from the minutes chosen. */
  computeViolations(): void {
    const { stages, violation } = this
    for (const [l, [first, second]] of this.pairs.entries()) {
      const secondOffset = this.offset[second]!
      let sum = 0
      for (let s = 0; s < stages; s++) {
        sum += this.chosen[secondOffset + s]!
        violation[l * stages + s] =
          sum - (this.completionStage[first]! <= s ? this.need[second]! : 0)
      }
    }
  }
}
