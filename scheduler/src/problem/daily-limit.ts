// The limit of task work per local day.
const MINUTE = 60_000

export type DailyLimit = {
  /** The number of the local day of each minute. */
  dayOf: Uint8Array
  /** The first minute of each day, and of the day after the last. The first may be negative. */
  starts: Int32Array
  /** The minutes that may be planned on each day. */
  capacity: Int32Array
}

/** `kept` holds the kept blocks of tasks as instants. Rounding each block to whole minutes would count
 *  time that no block uses. */
export const dailyLimitOf = (
  limit: number,
  t0: number,
  starts: Int32Array,
  horizon: number,
  kept: readonly (readonly [number, number])[],
): DailyLimit => {
  const dayOf = new Uint8Array(horizon + 1)
  const capacity = new Int32Array(starts.length - 1)
  for (let day = 0; day < capacity.length; day++) {
    const start = starts[day]!
    const end = starts[day + 1]!
    dayOf.fill(day, Math.max(0, start), Math.max(0, end))
    capacity[day] = Math.max(
      0,
      Math.floor(limit - unionLength(kept, t0 + start * MINUTE, t0 + end * MINUTE) / MINUTE),
    )
  }
  return { dayOf, starts, capacity }
}

/** The time between `from` and `until` that at least one pair covers. */
const unionLength = (
  pairs: readonly (readonly [number, number])[],
  from: number,
  until: number,
): number => {
  let sum = 0
  let reached = from
  for (const [start, end] of pairs.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, Math.min(end, until) - Math.max(start, reached))
    reached = Math.max(reached, end)
  }
  return sum
}
