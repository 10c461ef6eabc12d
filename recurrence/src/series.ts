// What comes again, and how often. Days are local and written as 2026-03-02; times of day as 09:30.

export const kinds = ['calendar', 'completion', 'times'] as const
export type Kind = (typeof kinds)[number]

/** What becomes of an occurrence that is open when it is due: cancelled, kept alone, or kept with the next ones. */
export const missedChoices = ['lapse', 'wait', 'pile'] as const
export type Missed = (typeof missedChoices)[number]

export type Series = {
  /** On the days of a rule; so long after the last one ended; so many times in each period. */
  kind: Kind
  /** RFC 5545, without COUNT, UNTIL and parts of the day. */
  rule: string
  /** In each period. */
  times: number | null
  startsOn: string
  endsOn: string | null
  /** Occurrences in all. */
  most: number | null
  startTime: string
  /** The end of the day if null. */
  dueTime: string | null
  /** How many days before it is due it may be started. */
  leadDays: number
  missed: Missed
}

/** An occurrence is identified by a day of the rule, or the first day of its period, and its number there. */
export type Key = { day: string; nth: number }

/** It may be started on `opensOn`, and is due on `dueOn`. */
export type Slot = Key & { opensOn: string; dueOn: string }

export const keyOf = ({ day, nth }: Key) => `${day}/${nth}`
