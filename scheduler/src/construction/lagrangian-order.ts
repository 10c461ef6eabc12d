// A start order from prices on time. While the prices settle, all tasks buy again and again; when
// they buy tells in which order to place them: who gets the dear hours, and who had better be late.
import type { Alone } from '../bounds/single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { latenessOf } from '../objective/cost.ts'
import { leastLateness } from '../bounds/least-lateness.ts'
import type { Placer } from '../placement/placer.ts'

/** Share of the last round in the mean over all rounds. */
const FRESH = 0.15

/** Tasks beyond which placing them takes longer than a round of buying. */
const MANY = 250

/** Every task that needs time behind what it waits for, and the lower bound by the prices. */
export type Guide = { order: number[]; leastLateness: number }

/** `known` is the lateness of a plan that exists. */
export const guide = (compiled: Compiled, placer: Placer, each: Alone, known: number): Guide => {
  const { need, due, horizon, weight, topological, predecessors } = compiled
  const n = need.length
  const tasks = Array.from(topological.toSorted()).filter((j) => need[j]! > 0)
  // Who does not buy is late in no plan and comes last, what matters more first.
  const now = Float64Array.from(weight, (w) => 4 * horizon - w)
  const mean = now.slice()
  const key = new Float64Array(n)
  const end = new Int32Array(n)
  const rest = new Int32Array(n)
  let best = tasks
  let least = Infinity
  let round = 0
  const bound = leastLateness(compiled, each, known, ({ buyers, middle }) => {
    for (const [b, j] of buyers.entries()) {
      now[j] = middle[b]!
      mean[j]! += (round === 0 ? 1 : FRESH) * (now[j] - mean[j]!)
    }
    if (round++ % (n > MANY ? 8 : 1) !== 0) return
    consider(now)
    consider(mean)
  })
  return { order: best, leastLateness: bound }

  function consider(times: Float64Array) {
    key.set(times)
    for (const j of topological) {
      for (const i of predecessors[j]!) if (need[i]! > 0) key[j] = Math.max(key[j]!, key[i]! + 1e-3)
    }
    const order = tasks.toSorted((a, b) => key[a]! - key[b]! || due[a]! - due[b]! || a - b)
    const lateness = latenessBelow(order, least)
    if (lateness >= least) return
    least = lateness
    best = order
  }

  /** The lateness of the tasks placed in this order; gives up once it is too much. */
  function latenessBelow(order: number[], limit: number) {
    let sum = 0
    placer.clear()
    for (const j of order) {
      let from = compiled.release[j]!
      let possible = compiled.blocked[j] === 0
      for (const i of predecessors[j]!) {
        if (need[i] === 0) continue
        if (rest[i]! > 0) possible = false
        from = Math.max(from, end[i]!)
      }
      end[j] = 0
      rest[j] = need[j]!
      if (possible) {
        placer.fit(j, need[j]!, from)
        placer.commit()
        end[j] = placer.end
        rest[j] = placer.rest
      }
      sum += latenessOf(compiled, j, end[j], rest[j])
      if (sum >= limit) break
    }
    return sum
  }
}
