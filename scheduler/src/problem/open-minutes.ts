// How much open time lies between two minutes.

/** The free minutes of a window set from one minute to another, which may lie after the horizon. */
export type OpenMinutes = (windowSet: number, from: number, until: number) => number

type WindowSet = { free: Int32Array }

export const openMinutesOf = (windowSets: readonly WindowSet[], horizon: number): OpenMinutes => {
  const sums: Int32Array[] = []
  return (windowSet, from, until) => {
    const sum = (sums[windowSet] ??= sumsOf(windowSets[windowSet]!.free, horizon))
    // After the horizon, as large a share is assumed to be free as before it.
    const at = (minute: number) =>
      minute <= horizon
        ? sum[Math.max(0, minute)]!
        : sum[horizon]! * (1 + (minute - horizon) / Math.max(1, horizon))
    return at(until) - at(from)
  }
}

/** Per minute: how many free minutes come before it. */
const sumsOf = (free: Int32Array, horizon: number): Int32Array => {
  const sums = new Int32Array(horizon + 1)
  let i = 0
  for (let minute = 0; minute < horizon; minute++) {
    while (i < free.length && free[i + 1]! <= minute) i += 2
    const isFree = i < free.length && free[i]! <= minute
    sums[minute + 1] = sums[minute]! + (isFree ? 1 : 0)
  }
  return sums
}
