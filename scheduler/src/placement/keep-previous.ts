// Keeps the valid blocks of an earlier plan and places the missing minutes around them.
import type { Compiled } from '../problem/compile.ts'
import { firstAfter } from '../problem/intervals.ts'
import { pauseAfter } from '../problem/pauses.ts'
import { cutExists, type Sessions } from '../problem/sessions.ts'
import type { Draft } from './draft.ts'

/**
 * Fills the empty draft. `order` lists every task after its predecessors; tasks are placed in this
 * order.
 */
export const reuseValidBlocks = (
  draft: Draft,
  earlier: readonly ArrayLike<number>[],
  order: readonly number[],
): void => {
  const { compiled } = draft
  for (const j of order) {
    const sessions = validBlocks(compiled, j, earlier[j]!)
    const free: number[] = []
    for (let i = 0; i < sessions.length; i += 2) {
      const start = sessions[i]!
      const end = sessions[i + 1]!
      if (draft.isFree(start, end, free)) free.push(start, end)
    }
    if (free.length > 0) {
      draft.set(j, free.length === sessions.length ? free : validBlocks(compiled, j, free))
    }
  }
  for (const j of order) completeTask(draft, j)
}

/** Places the missing minutes of the task as far as there is room, if possible without moving its
 *  other sessions. */
export const completeTask = (draft: Draft, j: number): void => {
  const { compiled, placer } = draft
  const from = earliestStart(draft, j)
  if (from === Infinity) {
    if (draft.sessions[j]!.length > 0) draft.set(j, [])
    return
  }
  if ((draft.sessions[j]![0] ?? Infinity) < from) draft.set(j, sessionsFrom(draft, j, from))
  const rest = draft.rest(j)
  if (rest === 0) return
  const had = draft.sessions[j]!
  let unplaced = rest
  let added: number[] = []
  if (had.length > 0 && compiled.split[j]) {
    const guards = guardsAround(compiled, j, had)
    if (canBeCompleted(compiled, j, had, rest)) placer.fit(j, rest, from, rest, guards)
    else placer.fitMore(j, rest, from, guards)
    added = placer.found.slice()
    unplaced = placer.rest
    if (unplaced === 0) {
      draft.set(j, merge(had, added))
      return
    }
    draft.set(j, [])
  }
  placer.fit(j, compiled.need[j]!, from)
  if (had.length > 0 && placer.rest >= unplaced) draft.set(j, merge(had, added))
  else draft.set(j, placer.found.slice())
}

/** The earliest start; `Infinity` if the task is blocked or a predecessor is not planned in full. */
export const earliestStart = (draft: Draft, j: number): number => {
  const { compiled } = draft
  if (compiled.blocked[j]) return Infinity
  let from = compiled.release[j]!
  for (const i of compiled.predecessors[j]!) {
    if (draft.rest(i) > 0) return Infinity
    from = Math.max(from, draft.end(i))
  }
  return from
}

/** The earlier blocks that no rule forbids, as many as the task still needs. */
export const validBlocks = (
  compiled: Compiled,
  j: number,
  earlier: ArrayLike<number>,
): Sessions => {
  const { need, release, horizon, split, min, max, cooldown, classes, classOf, pauses } = compiled
  if (need[j] === 0 || compiled.blocked[j]) return []
  const { free } = classes[classOf[j]!]!
  const guards = compiled.guards[j]!
  const capacity = compiled.dailyLimit?.capacity.slice()
  const kept: number[] = []
  let rest = need[j]!
  let ready = release[j]!
  // One session shorter than min is allowed if the need cannot be cut into legal sessions.
  let shortAllowed = !cutExists(need[j]!, min[j]!, max[j]!)
  for (let i = 0; i < earlier.length; i += 2) {
    const start = earlier[i]!
    const end = earlier[i + 1]!
    const length = end - start
    if (start < ready || end > horizon || length > rest || length <= 0) continue
    const window = firstAfter(free, start)
    if (window >= free.length || free[window]! > start || free[window + 1]! < end) continue
    const guard = firstAfter(guards, start)
    if (guard < guards.length && guards[guard]! < end) continue
    const day = compiled.dailyLimit?.dayOf[start] ?? 0
    if (capacity && length > capacity[day]!) continue
    if (!split[j]) {
      if (length < rest) continue
    } else if (length > max[j]!) continue
    else if (length < min[j]!) {
      if (!shortAllowed || (need[j]! < min[j]! && length < rest)) continue
      shortAllowed = false
    }
    kept.push(start, end)
    rest -= length
    if (capacity) capacity[day]! -= length
    ready = end + Math.max(cooldown[j]!, pauses ? pauseAfter(pauses, length) : 0)
  }
  return kept
}

/** The sessions that start at or after `from`. */
const sessionsFrom = (draft: Draft, j: number, from: number): Sessions => {
  const sessions = draft.sessions[j]!
  let i = 0
  while (i < sessions.length && sessions[i]! < from) i += 2
  return sessions.slice(i)
}

/** Whether the rest can be cut into legal sessions in addition to the sessions that are kept. */
const canBeCompleted = (compiled: Compiled, j: number, had: Sessions, rest: number) => {
  const min = compiled.min[j]!
  const max = compiled.max[j]!
  if (rest >= min && cutExists(rest, min, max)) return true
  if (cutExists(compiled.need[j]!, min, max)) return false
  for (let i = 0; i < had.length; i += 2) if (had[i + 1]! - had[i]! < min) return false
  return true
}

/** The sessions with the cooldown around them. */
export const guardsAround = (compiled: Compiled, j: number, sessions: Sessions): Int32Array => {
  const cooldown = compiled.cooldown[j]!
  const guards = new Int32Array(sessions.length)
  let size = 0
  for (let i = 0; i < sessions.length; i += 2) {
    const start = sessions[i]! - cooldown
    const end = Math.min(compiled.horizon, sessions[i + 1]! + cooldown)
    if (size > 0 && start <= guards[size - 1]!) guards[size - 1] = end
    else {
      guards[size++] = start
      guards[size++] = end
    }
  }
  return guards.subarray(0, size)
}

/** The sessions of both lists in order. */
export const merge = (a: Sessions, b: Sessions): number[] => {
  const all: number[] = []
  let i = 0
  let k = 0
  while (i < a.length || k < b.length) {
    if (k >= b.length || (i < a.length && a[i]! < b[k]!)) {
      all.push(a[i]!, a[i + 1]!)
      i += 2
    } else {
      all.push(b[k]!, b[k + 1]!)
      k += 2
    }
  }
  return all
}
