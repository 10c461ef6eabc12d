// The weights of the objective.
import type { Priority } from '../model.ts'

export const WEIGHT: Record<Priority, number> = { none: 1, low: 2, medium: 4, high: 8, urgent: 16 }

/** The fixed cost of a late task, in minutes of lateness: one day. */
export const LATE_PENALTY = 1440

/** The due minute of a task that has none. */
export const NO_DUE = 0x3fffffff
/** The end of the last kept block of a task that has none. */
export const NO_END = -0x3fffffff
