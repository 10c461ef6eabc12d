// The pause after a session.
import type { Preferences } from '../model.ts'

export type Pauses = {
  /** The pause after every session, even if the next session belongs to the same task. */
  short: number
  /** The pause after a session of at least `longFrom` minutes; never less than `short`. */
  long: number
  longFrom: number
}

const NEVER = 0x3fffffff

/** The pauses that the preferences ask for, or null if they ask for none. */
export const pausesOf = ({ breaks, bufferMinutes }: Preferences): Pauses | null => {
  const short = Math.max(0, bufferMinutes ?? 0)
  const long = Math.max(short, breaks?.minutes ?? 0)
  if (long === 0) return null
  return { short, long, longFrom: breaks?.afterMinutes ?? NEVER }
}

export const pauseAfter = (pauses: Pauses, minutes: number): number =>
  minutes >= pauses.longFrom ? pauses.long : pauses.short

/** The longest session that fits with its pause into the minutes. Every shorter one fits, too. */
export const longestBefore = ({ short, long, longFrom }: Pauses, minutes: number): number =>
  minutes - long >= longFrom ? minutes - long : Math.min(minutes - short, longFrom - 1)
