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
  /** What reading the whole file may cost (`costs`). */
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
  steps: 10_000_000,
  text: 500,
  skipped: 200,
}

/** What each piece of work costs, in about a fifth of a microsecond: ten million steps take about two seconds. */
export const costs = {
  /** A line, even an empty one. */
  line: 1,
  /** A parameter of a property. */
  parameter: 1,
  /** An event, beside its properties. */
  event: 20,
  /** A date or a period in a list. */
  date: 15,
  /** A look-up of a zone by a new name. */
  zone: 150,
  /** A day, time or date that a rule examines. */
  rule: 5,
}

export type RefusalReason =
  | 'no-calendar'
  | 'incomplete'
  | 'nested-too-deeply'
  | 'too-large'
  | 'too-many-events'
  | 'too-many-steps'

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

/** Steps that are left for a file, or for a rule and the file that it is in. */
export type Steps = { left: number; ofFile?: Steps }

export const stepsForRule = (ofFile: Steps, limits: Limits): Steps => ({
  left: limits.stepsPerRule,
  ofFile,
})

/** Charges steps. Throws `LimitExceeded` once none are left. */
export function spend(steps: Steps, count: number) {
  steps.left -= count
  if (steps.left < 0) throw new LimitExceeded('too-many-steps')
  if (steps.ofFile) spend(steps.ofFile, count * costs.rule)
}
