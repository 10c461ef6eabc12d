// How the minutes that a task needs are cut into sessions.

/** Pairs of start and end minutes, in order. */
export type Sessions = readonly number[]

/** Sessions of at least this length are tried first. */
const COMFORTABLE_MINUTES = 30
/** A session of at least this length may be used to meet a due date. A shorter one is planned only if
 *  its minutes would otherwise be left over. */
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

/** The session length if the need is cut into as few sessions of about equal length as possible. */
const longestEqual = (need: number, max: number) => Math.floor(need / Math.ceil(need / max))

/**
 * The length of the longest session that fits into `room` minutes and leaves a rest that can be cut
 * legally, or 0. With a need of 65, sessions of 30 to 60 and enough room it is 35: 60 would leave 5.
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

/** The longest session of at least `min` that fits into `room`, for work of which some is left over
 *  anyway, so that the rest need not be cut legally. 0 if there is none. */
export const looseLength = (need: number, min: number, max: number, room: number): number => {
  const length = Math.min(need, max, room)
  return length >= min ? length : 0
}
