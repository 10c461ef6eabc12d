// Stability: what it costs to move blocks of a plan that is already in the calendar.

/** The cost of a moved block, in minutes of lateness of a task without priority: half a day. */
export const MOVE_COST = 720
const TODAY_FACTOR = 4
const TOMORROW_FACTOR = 2

export type MoveCosts = {
  /** Starts of the next two local days in minutes. */
  midnights: readonly [number, number]
  /** 0 for a plan that is not in the calendar yet. */
  costPerMove: number
}

/** The cost of replacing the sessions of a task by others. */
export const costOfMoves = (
  { midnights, costPerMove }: MoveCosts,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): number => {
  let sum = 0
  let k = 0
  for (let i = 0; i < before.length; i += 2) {
    const start = before[i]!
    while (k < after.length && after[k]! < start) k += 2
    if (k < after.length && after[k] === start && after[k + 1] === before[i + 1]) continue
    sum +=
      costPerMove *
      (start < midnights[0] ? TODAY_FACTOR : start < midnights[1] ? TOMORROW_FACTOR : 1)
  }
  return sum
}
