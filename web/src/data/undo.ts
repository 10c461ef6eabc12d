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

/**
 * Takes back a change of some fields of a record. Where the answer has them as they were on the page,
 * the change left no event, and the last one is that of an earlier change: it stays.
 */
export async function revertChange(was: { id: string }, answer: unknown, fields: string[]) {
  if (differs(was, answer as object, fields)) await revertLast(was.id, fields)
}

const isOf = ({ before, after }: Event, fields: string[]) =>
  before !== null && after !== null && differs(before, after, fields)

/** Whether two states of a record differ in one of the fields. */
export function differs(one: object, other: object, fields: string[]) {
  const [before, after] = [one, other] as [Record<string, unknown>, Record<string, unknown>]
  return fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}
