// What reading one file may cost. A file that exceeds a limit is refused; an event that does is skipped.

export type Limits = {
  /** Size of the file in bytes. */
  bytes: number
  /** Events in the file. */
  events: number
  /** Occurrences of one series in the window. */
  occurrencesPerSeries: number
  /** Occurrences of the whole file. With more of them, the window ends earlier. */
  occurrences: number
  /** Days, times and dates that one rule may examine. */
  stepsPerRule: number
  /** Days, times and dates that all rules of the file may examine together. */
  steps: number
  /** Characters of a UID, a title or a location. The rest is cut off. */
  text: number
  /** Entries in the list of what was skipped. */
  skipped: number
}

export const defaultLimits: Limits = {
  bytes: 50_000_000,
  events: 100_000,
  occurrencesPerSeries: 5000,
  occurrences: 20_000,
  stepsPerRule: 200_000,
  steps: 2_000_000,
  text: 500,
  skipped: 200,
}

export type RefusalReason =
  | 'no-calendar'
  | 'incomplete'
  | 'nested-too-deeply'
  | 'too-large'
  | 'too-many-events'

/** The file cannot be trusted as a whole, so the last good reading has to stay in force. */
export class CalendarRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason) {
    super(`The calendar was refused: ${reason}`)
    this.reason = reason
  }
}

export type LimitReason = 'too-many-occurrences' | 'too-many-steps'

/** One series is too expensive. The rest of the file is still read. */
export class LimitExceeded extends Error {
  readonly reason: LimitReason

  constructor(reason: LimitReason) {
    super(`A series exceeds a limit: ${reason}`)
    this.reason = reason
  }
}

/** Steps that are left for a rule, and for the file that it is in. */
export type Steps = { left: number; ofFile?: Steps }

export const stepsForRule = (ofFile: Steps, limits: Limits): Steps => ({
  left: limits.stepsPerRule,
  ofFile,
})

export function spend(steps: Steps, count: number) {
  steps.left -= count
  if (steps.left < 0) throw new LimitExceeded('too-many-steps')
  if (steps.ofFile) spend(steps.ofFile, count)
}
