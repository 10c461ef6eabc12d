// Ctrl Z and its opposite, for everything that was done by `perform` with an `undo`.
import type { Event } from '@daywright/contract'
import { toast } from '../ui/toasts.ts'
import { api, Refusal } from './api.ts'
import { perform, undoStep } from './perform.ts'
import { atRest } from './refresh.ts'
import { lastDone, popUndone } from './steps.ts'

let last = Promise.resolve()

/** One after the other, and not before all that was done has arrived: the last of it is meant. */
const inTurn = (work: () => Promise<unknown>) =>
  (last = last.then(atRest).then(async () => void (await work())))

export const undoLast = () => inTurn(undo)
export const redoLast = () => inTurn(redo)

async function undo() {
  const step = lastDone()
  if (!step) return void toast('Nothing to undo.')
  if (await undoStep(step)) toast(step.action.says ? `Undone: ${step.action.says}` : 'Undone.')
}

async function redo() {
  const action = popUndone()
  if (!action) return void toast('Nothing to redo.')
  await perform(action, { isRedo: true })
}

const farBack = 50

/**
 * Has the service take back the last change that was made to a record here: exactly, with what only
 * it knows (who had placed a block, what went with a deleted task). What was taken back already, and
 * what a script or the planner did since, stays; where it is in the way, the service says so.
 * With `fields` it is the last change of one of them: others may have been changed since.
 */
export async function revertLast(recordId: string, fields?: string[]) {
  const { events } = await api.history.list({ recordId, limit: farBack })
  const isBack = new Set(events.map(({ actor }) => actor.reverts))
  const last = events.find(
    (event) =>
      event.actor.kind === 'person' &&
      !event.actor.reverts &&
      !isBack.has(event.id) &&
      (!fields || isOf(event, fields)),
  )
  if (!last)
    throw new Refusal(new Response(null, { status: 409 }), { error: 'That is too long ago.' })
  await api.history.revert(last.id)
}

/** True also where what was set was so before. */
function isOf({ before, after }: Event, fields: string[]) {
  if (!before || !after) return false
  const changed = Object.keys(after).filter(
    (field) =>
      field !== 'updatedAt' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return changed.length === 0 || changed.some((field) => fields.includes(field))
}
