// How much open time lies between two minutes.

/** The free minutes of a window set from one minute to another, which may lie after the horizon. */
export type OpenMinutes = (windowSet: number, from: number, until: number) => number

type WindowSet = { free: Int32Array }

export const openMinutesOf = (windowSets: readonly WindowSet[], horizon: number): OpenMinutes => {
  const sums: Int32Array[] = []
  return (windowSet, from, until) => {
    const sum = (sums[windowSet] ??= countFreeBefore(windowSets[windowSet]!.free, horizon))
    // After the horizon, as large a share is assumed to be free as before it.
    const at = (minute: number) =>
      minute <= horizon
        ? sum[Math.max(0, minute)]!
        : sum[horizon]! * (1 + (minute - horizon) / Math.max(1, horizon))
    return at(until) - at(from)
  }
}

/** Per minute: how many free minutes come before it. */
export const countFreeBefore = (free: Int32Array, horizon: number): Int32Array => {
  const before = new Int32Array(horizon + 1)
  let sum = 0
  let at = 0
  for (let i = 0; i < free.length; i += 2) {
    before.fill(sum, at, free[i]! + 1)
    for (at = free[i]! + 1; at <= free[i + 1]!; at++) before[at] = ++sum
  }
  before.fill(sum, at)
  return before
}
