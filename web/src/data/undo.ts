// Ctrl Z and redo, for every action that `perform` ran with an `undo`.
import type { Event } from '@daywright/contract'
import { toast } from './toasts.ts'
import { api, Refusal } from './api.ts'
import { perform, undoStep } from './run-mutation.ts'
import { whenIdle } from './refresh.ts'
import { lastDone, popUndone } from './steps.ts'

let last = Promise.resolve()

/** Runs one undo or redo at a time, after all actions have finished, so that the last action is undone. */
const inTurn = (work: () => Promise<unknown>) =>
  (last = last.then(whenIdle).then(async () => void (await work())))

export const undoLast = () => inTurn(undo)
export const redoLast = () => inTurn(redo)

async function undo() {
  const step = lastDone()
  if (!step) return void toast('Nothing to undo.')
  if (await undoStep(step)) toast(step.says ? `Undone: ${step.says}` : 'Undone.')
}

async function redo() {
  const action = popUndone()
  if (!action) return void toast('Nothing to redo.')
  await perform(action, { isRedo: true })
}

const farBack = 50

/**
 * Reverts the last change that a person made to a record. The service restores the exact state with data that
 * only it has (who had placed a block, what was deleted with a task). Changes that are already reverted are
 * skipped, and later changes by scripts or the planner stay; if they conflict, the service refuses. With
 * `fields`, reverts the last change of one of these fields.
 */
export async function revertLast(recordId: string, fields?: string[]) {
  const last = await findLast(recordId, fields)
  await api.history.revert(last.id)
  return last
}

async function findLast(recordId: string, fields?: string[]) {
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
    throw new Refusal(new Response(null, { status: 409 }), {
      error: 'This change is too old to undo.',
    })
  return last
}

/**
 * Reverts the last change that a person made to a record, and what the same request did to other records,
 * such as the blocks that made way for it.
 */
export async function revertRequest(recordId: string, fields?: string[]) {
  const last = await findLast(recordId, fields)
  for (const { id } of await eventsOfRequest(last)) await api.history.revert(id)
}

/** Reverts what a request did to blocks. Blocks that have changed since stay as they are. */
export async function revertBlocks(event: Event) {
  for (const { id, type } of await eventsOfRequest(event)) {
    if (type === 'timeBlock.updated') await api.history.revert(id).catch(unlessConflict)
  }
}

const unlessConflict = (error: unknown) => {
  if (!(error instanceof Refusal && error.status === 409)) throw error
}

const pageSize = 100
/** Greater than the number of any event within a request. */
const lastPart = 999_999_999

/** All events of the request that caused this one, the latest first. Their ids begin with the same number. */
async function eventsOfRequest({ id }: Event) {
  const [number = ''] = id.split('-')
  const found: Event[] = []
  let before = `${number}-${lastPart}`
  for (;;) {
    const { events, next } = await api.history.list({ before, limit: pageSize })
    const own = events.filter((event) => event.id.startsWith(`${number}-`))
    found.push(...own)
    if (own.length < events.length || next === null) return found
    before = next
  }
}

/**
 * Reverts a change of some fields of a record. If the answer equals the state before, the change appended
 * no event, and the last event belongs to an earlier change, which stays.
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
