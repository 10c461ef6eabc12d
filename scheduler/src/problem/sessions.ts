// How a need is cut into sessions.

/** Pairs of start and end minutes, in order. */
export type Sessions = readonly number[]

/** Sessions of at least this length are tried first. */
const COMFORTABLE_MINUTES = 30
/** Sessions of at least this length may save a due date. Below it a session is too short to be of
 *  use: it is planned only if its minutes would be left over otherwise. */
const USEFUL_MINUTES = 15

/** Whether `need` minutes can be cut into sessions of `min` to `max`. */
export const cutExists = (need: number, min: number, max: number): boolean =>
  Math.ceil(need / max) * min <= need

/** The shortest session to try first: longer than `min`, if the need can still be cut that way. */
export const comfortable = (need: number, min: number, max: number): number =>
  Math.max(min, Math.min(COMFORTABLE_MINUTES, longestEqual(need, max)))

/** The shortest session for work that would be late otherwise. */
export const useful = (need: number, min: number, max: number): number =>
  Math.max(min, Math.min(USEFUL_MINUTES, longestEqual(need, max)))

/** The length of the sessions if the need is cut into as few as possible of about equal length. */
const longestEqual = (need: number, max: number) => Math.floor(need / Math.ceil(need / max))

/**
 * Length of the longest session that fits into `room` minutes and leaves a rest that can be cut
 * as well: of 65 at 30 to 60 it is 35, for 60 would leave 5. 0 if there is none.
 */
export const legalLength = (need: number, min: number, max: number, room: number): number => {
  let length = need < max ? need : max
  if (room < length) length = room
  if (length < min) {
    // The last session may be short where the need cannot be cut into legal ones.
    return length === need ? need : 0
  }
  const rest = need - length
  if (rest === 0) return length
  const least = Math.ceil(rest / max) * min
  if (least <= rest) return length
  const shorter = need - least
  if (shorter >= min) return shorter
  return cutExists(need, min, max) ? 0 : length
}

/** The same where the rest is left over anyway: the longest session of at least `min`. */
export const looseLength = (need: number, min: number, max: number, room: number): number => {
  const length = Math.min(need, max, room)
  return length >= min ? length : 0
}
