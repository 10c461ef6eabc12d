// What a plan is worth beside one that is already in the calendar.
import type { Cost } from '../model.ts'

/** What a moved block costs, in minutes of lateness of a task without priority: half a day. */
export const MOVED = 720
const TODAY = 4
const TOMORROW = 2

export type Prices = {
  /** Starts of the next two local days in minutes. */
  midnights: readonly [number, number]
  /** What a moved block costs: nothing while nobody has seen the plan. */
  price: number
}

/** All levels in one currency, for comparing plans that keep with plans that move. */
export const worth = ({ lateness, leftOver, earliness }: Cost): number =>
  lateness + 16 * leftOver + earliness / 3600

/** The price of getting from one plan of a task to another. */
export const priceOfMoves = (
  { midnights, price }: Prices,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): number => {
  let sum = 0
  let k = 0
  for (let i = 0; i < before.length; i += 2) {
    const start = before[i]!
    while (k < after.length && after[k]! < start) k += 2
    if (k < after.length && after[k] === start && after[k + 1] === before[i + 1]) continue
    sum += price * (start < midnights[0] ? TODAY : start < midnights[1] ? TOMORROW : 1)
  }
  return sum
}
