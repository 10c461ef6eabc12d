// Ctrl Z and its opposite, for everything that was done by `perform` with an `undo`.
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
 */
export async function revertLast(recordId: string) {
  const { events } = await api.history.list({ recordId, limit: farBack })
  const isBack = new Set(events.map(({ actor }) => actor.reverts))
  const last = events.find(
    ({ id, actor }) => actor.kind === 'person' && !actor.reverts && !isBack.has(id),
  )
  if (!last)
    throw new Refusal(new Response(null, { status: 409 }), { error: 'That is too long ago.' })
  await api.history.revert(last.id)
}
