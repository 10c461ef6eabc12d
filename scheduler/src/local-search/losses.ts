// Estimates how much tasks lose if their sessions are moved into the gaps, to choose which to eject.
import { scalarCost } from '../objective/cost.ts'
import type { Draft } from '../placement/draft.ts'
import { guardsAround, merge } from '../placement/keep-previous.ts'

/** Per task: what it loses if all its sessions are moved. */
export const lossesByMoving = (draft: Draft): Float64Array => {
  const { compiled, placer } = draft
  const losses = new Float64Array(draft.sessions.length)
  const { topological, need } = compiled
  // Successors first: when a task moves, they may have to move as well.
  for (let t = topological.length - 1; t >= 0; t--) {
    const j = topological[t]!
    const pairs = draft.sessions[j]!
    if (pairs.length === 0) continue
    placer.fit(j, need[j]!, pairs[0]!)
    losses[j] = lossBy(draft, j, placer.found, losses)
  }
  return losses
}

/** By start of a session: the loss of its task if only that session is moved; `NaN` at other minutes.
 *  Never more than `ofTasks`, the loss if all sessions of the task are moved. */
export const lossesBySession = (draft: Draft, ofTasks: Float64Array): Float64Array => {
  const { compiled, placer } = draft
  const losses = new Float64Array(compiled.horizon + 1).fill(NaN)
  for (const { task: j, start, end } of draft.inOrder) {
    const pairs = draft.sessions[j]!
    losses[start] = ofTasks[j]!
    if (pairs.length === 2 || !compiled.split[j]) continue
    const others = pairs.filter((_, i) => pairs[i - (i % 2)] !== start)
    placer.fit(j, end - start, start, end - start, guardsAround(compiled, j, others))
    const loss = lossBy(draft, j, merge(others, placer.found), ofTasks)
    losses[start] = Math.min(losses[start], loss)
  }
  return losses
}

/** The loss of the task with the new sessions, plus the losses of the successors that must then move. */
const lossBy = (draft: Draft, j: number, sessions: number[], ofTasks: Float64Array): number => {
  const { placer, compiled } = draft
  const before = draft.costOf(j, draft.sessions[j]!)
  const end = sessions.at(-1) ?? 0
  let loss = scalarCost(draft.costOf(j, sessions)) - scalarCost(before)
  for (const s of compiled.successors[j]!) {
    const start = draft.sessions[s]![0]
    if (start !== undefined && (placer.rest > 0 || start < end)) {
      loss += Math.max(0, ofTasks[s]!)
    }
  }
  return loss
}
