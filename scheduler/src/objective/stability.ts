// Stability: what it costs to move blocks of a plan that is already in the calendar.
import type { Compiled } from '../problem/compile.ts'

/** In minutes of lateness of a task without priority. */
type MovePrices = readonly [today: number, tomorrow: number, later: number]

/** A person works by the plan of today and has read that of tomorrow. */
const DURING_DAY: MovePrices = [2880, 1440, 360]
/** The first plan of a day may arrange what has not been looked at yet. */
const FIRST_OF_DAY: MovePrices = [240, 240, 4]
const FREE: MovePrices = [0, 0, 0]

/** An ejected task that loses less than this does not eject others in turn. */
export const MIN_CLAIM_LOSS = 720

export type MoveCosts = {
  /** Starts of the next two local days in minutes. */
  midnights: readonly [number, number]
  /** What a moved block costs, by the day that it was on. */
  prices: MovePrices
  /** The share of the risk that counts, unless the user has just asked for the task. */
  riskShare: number
}

export const moveCostsOf = (compiled: Compiled): MoveCosts => {
  const midnights = nextMidnights(compiled)
  return isFirstOfDay(compiled)
    ? { midnights, prices: FIRST_OF_DAY, riskShare: 1 }
    : { midnights, prices: DURING_DAY, riskShare: 0.5 }
}

/** For a plan that is not in the calendar yet. */
export const freeMoves = (compiled: Compiled): MoveCosts => ({
  midnights: nextMidnights(compiled),
  prices: FREE,
  riskShare: 1,
})

/** Whether this is the first run of the local day. */
export const isFirstOfDay = ({ problem, timezone }: Compiled): boolean => {
  const { lastRunAt = null } = problem
  return lastRunAt !== null && lastRunAt < startOfToday(problem.now, timezone).epochMilliseconds
}

/** The cost of replacing the sessions of a task by others. */
export const costOfMoves = (
  { midnights, prices }: MoveCosts,
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): number => {
  let sum = 0
  let k = 0
  for (let i = 0; i < before.length; i += 2) {
    const start = before[i]!
    while (k < after.length && after[k]! < start) k += 2
    if (k < after.length && after[k] === start && after[k + 1] === before[i + 1]) continue
    sum += start < midnights[0] ? prices[0] : start < midnights[1] ? prices[1] : prices[2]
  }
  return sum
}

const nextMidnights = ({ problem, timezone, t0 }: Compiled): [number, number] => {
  const today = startOfToday(problem.now, timezone)
  const minute = (days: number) =>
    Math.floor((today.add({ days }).startOfDay().epochMilliseconds - t0) / 60_000)
  return [minute(1), minute(2)]
}

const startOfToday = (now: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).startOfDay()
