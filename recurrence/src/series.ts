// A series: what recurs, and how often. Days are local and written as 2026-03-02; times of day as 09:30.

export const kinds = ['calendar', 'completion', 'times'] as const
export type Kind = (typeof kinds)[number]

/** An occurrence still open when it is due is cancelled, holds back the next ones, or stays beside them. */
export const missedChoices = ['lapse', 'wait', 'pile'] as const
export type Missed = (typeof missedChoices)[number]

export type Series = {
  /** On the days of a rule, an interval after the last one ended, or a number of times per period. */
  kind: Kind
  /** RFC 5545, without COUNT, UNTIL and times of day. */
  rule: string
  /** The number of occurrences in each period, for the kind `times`. */
  times: number | null
  startsOn: string
  endsOn: string | null
  /** The most occurrences in all. */
  most: number | null
  startTime: string
  /** The end of the day if null. */
  dueTime: string | null
  /** How many days before its due day an occurrence may be started. */
  leadDays: number
  missed: Missed
}

/** An occurrence is identified by a day of the rule, or the first day of its period, and its number there. */
export type Key = { day: string; nth: number }

/** An occurrence that may be started on `opensOn` and is due on `dueOn`. */
export type Slot = Key & { opensOn: string; dueOn: string }

export const keyOf = ({ day, nth }: Key) => `${day}/${nth}`
