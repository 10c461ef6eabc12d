// Reverts one change by making the opposite one through the same functions as the API, so that all rules hold and the
// revert is an event, too. The record must still be as the change left it: this is compared with the `before` of the
// new event, and the transaction is rolled back if they differ.
import {
  ChecklistItemChanges,
  DefaultScheduleChanges,
  DocumentChanges,
  LabelChanges,
  ProfileChanges,
  ProjectChanges,
  RecurrenceChanges,
  type Reverted,
  SchedulePreferenceChanges,
  SettingsChanges,
  SpaceChanges,
  TaskChanges,
  TimeBlockChanges,
} from '@daywright/contract'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import {
  deleteChecklistItem,
  updateChecklistItem,
} from '../checklist-items/checklist-items.queries.ts'
import { type Actor, type Db, named } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { deleteDocument, updateDocument } from '../documents/documents.queries.ts'
import { findText } from '../documents/versions.queries.ts'
import { ApiError, conflict, notFound } from '../../platform/errors.ts'
import { insufficientScope } from '../../platform/http/authenticate.ts'
import { deleteLabel, updateLabel } from '../labels/labels.queries.ts'
import { undoRun } from '../planner/undo-run.ts'
import { deleteProject, updateProject } from '../projects/projects.queries.ts'
import {
  pauseRecurrence,
  restoreRecurrence,
  resumeRecurrence,
  undoCreation,
  updateRecurrence,
} from '../recurrences/change-recurrences.ts'
import { reattachOccurrence } from '../recurrences/occurrences.queries.ts'
import {
  deleteSchedulePreference,
  updateSchedulePreference,
} from '../schedule-preferences/schedule-preferences.queries.ts'
import { updateSettings } from '../settings/settings.queries.ts'
import { deleteSpace, updateSpace } from '../spaces/spaces.queries.ts'
import { addDependency, removeDependency } from '../tasks/dependencies.queries.ts'
import { linkDocument, unlinkDocument } from '../tasks/document-links.queries.ts'
import { deleteTask, updateTask } from '../tasks/tasks.queries.ts'
import { deleteTimeBlock, updateTimeBlock } from '../time-blocks/time-blocks.queries.ts'
import { updateProfile } from '../user/user.queries.ts'
import { findEvent, findLatest, type PastEvent } from './history.queries.ts'
import { labelsStillThere, restore, tasksStillThere } from './restore.queries.ts'

type State = Record<string, unknown>
type Back = (db: Db, userId: string, id: string, state: State, now: Date) => Promise<unknown>

const cannot = () => conflict('This change cannot be reverted')

/** Reverts an update. `followed` are fields that no request sets: the service changes them along with others. */
const updateWith =
  <Changes extends object>(
    changes: z.ZodType<Changes>,
    update: (db: Db, userId: string, id: string, given: Changes, now: Date) => Promise<unknown>,
    followed: string[] = [],
  ): Back =>
  async (db, userId, id, state, now) => {
    const given = { ...changes.parse(state) }
    for (const field of followed) {
      if (field in state) Object.assign(given, { [field]: state[field] })
    }
    if (Object.keys(state).some((field) => !(field in given))) throw cannot()
    await update(db, userId, id, given, now)
  }

const changeDocument = updateWith(DocumentChanges, updateDocument)

/** Events refer to a document's text by hash; here the text itself is needed. */
async function withText(db: Db, userId: string, id: string, state: State): Promise<State> {
  if (state.content === undefined) return state
  const { hash } = state.content as { hash: string }
  const content = await findText(db, userId, id, hash)
  if (content === undefined) throw cannot()
  return { ...state, content }
}

const changeTimeBlock = updateWith(
  TimeBlockChanges,
  (db, userId, id, given, now) => updateTimeBlock(db, userId, id, given, now, { isByHand: false }),
  ['taskId', 'source', 'explanation', 'startedAt', 'completedAt', 'cancelReason'],
)

const defaultSchedule = DefaultScheduleChanges.partial().shape

const updates: Record<string, Back> = {
  space: updateWith(SpaceChanges.extend(defaultSchedule), updateSpace),
  project: updateWith(ProjectChanges.extend(defaultSchedule), updateProject),
  label: updateWith(LabelChanges, updateLabel),
  document: async (db, userId, id, state, now) =>
    changeDocument(db, userId, id, await withText(db, userId, id, state), now),
  schedulePreference: updateWith(SchedulePreferenceChanges, updateSchedulePreference),
  checklistItem: updateWith(ChecklistItemChanges, updateChecklistItem),
  timeBlock: async (db, userId, id, state, now) => {
    // If the task of the block was deleted and not restored, the block cannot return to it.
    const { taskId = null } = state as { taskId?: string | null }
    if (taskId && (await tasksStillThere(db, userId, [taskId])).length === 0) throw cannot()
    return changeTimeBlock(db, userId, id, state, now)
  },
  task: updateWith(TaskChanges, updateTask, ['actualMinutes']),
  recurrence: changeRecurrence,
  user: updateWith(ProfileChanges, (db, userId, _id, given) => updateProfile(db, userId, given)),
  settings: updateWith(SettingsChanges, (db, userId, _id, given) =>
    updateSettings(db, userId, given),
  ),
}

const removals: Record<string, Back> = {
  space: deleteSpace,
  project: (db, userId, id) => deleteProject(db, userId, id, true),
  label: deleteLabel,
  document: deleteDocument,
  schedulePreference: deleteSchedulePreference,
  checklistItem: deleteChecklistItem,
  timeBlock: deleteTimeBlock,
  recurrence: (db, userId, id, _state, now) => undoCreation(db, userId, id, now),
  task: (db, userId, id, _state, now) => deleteTask(db, userId, id, { forGood: true, now }),
  dependency: (db, userId, _id, { taskId, dependsOnTaskId }) =>
    removeDependency(db, userId, String(taskId), String(dependsOnTaskId)),
  documentLink: (db, userId, _id, { taskId, documentId }) =>
    unlinkDocument(db, userId, String(taskId), String(documentId)),
}

const returns: Record<string, Back> = {
  ...Object.fromEntries(
    Object.entries(restore).map(([name, back]): [string, Back] => [
      name,
      (db, userId, _id, state) => back(db, userId, state),
    ]),
  ),
  task: restoreTask,
  recurrence: (db, userId, id, _state, now) => restoreRecurrence(db, userId, id, now),
  label: restoreLabel,
  document: async (db, userId, id, state) =>
    restore.document(db, userId, await withText(db, userId, id, state)),
  dependency: (db, userId, _id, { taskId, dependsOnTaskId }) =>
    addDependency(db, userId, String(taskId), String(dependsOnTaskId)),
  documentLink: (db, userId, _id, { taskId, documentId }) =>
    linkDocument(db, userId, String(taskId), String(documentId)),
}

const changedSince = () => conflict('The record has changed since')

/** `mayPlan`: reverting a planner run needs the same permission as undoing it. */
export const revert = (
  db: Db,
  userId: string,
  eventId: string,
  now: Date,
  { mayPlan }: { mayPlan: boolean },
): Promise<Reverted> =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId) // first, in the same lock order as a planner run
    const event = await findEvent(transaction, userId, eventId)
    if (!event) throw notFound('Event not found')
    if (event.type.startsWith('plannerRun.') && !mayPlan) throw insufficientScope()
    const by = { ...(JSON.parse(db.actor) as Actor), reverts: eventId }
    const back: Db = { ...transaction, actor: named(by), transaction: (work) => work(back) }
    await takeBack(back, userId, event, eventId, now).catch(asConflict)
    return { reverted: eventId, type: event.type, recordId: event.record_id }
  })

async function takeBack(db: Db, userId: string, event: PastEvent, eventId: string, now: Date) {
  const { type, record_id: id, before, after } = event
  const [record = '', what = ''] = type.split('.')
  if (type === 'plannerRun.applied') return undoRun(db, userId, id, now)
  const way = { created: removals, updated: updates, deleted: returns }[what]?.[record]
  if (!way) throw cannot()
  if (what === 'created')
    return requireState(after ?? {}, () => way(db, userId, id, after ?? {}, now))
  if (what === 'deleted') return way(db, userId, id, before ?? {}, now)
  const changed = Object.keys(before ?? {}).filter(
    (field) => field !== 'updatedAt' && !isDeepStrictEqual(before?.[field], after?.[field]),
  )
  if (changed.length === 0) return undefined
  const of = (state: State | null) =>
    Object.fromEntries(changed.map((field) => [field, state?.[field]]))
  return requireState(of(after), () => way(db, userId, id, of(before), now))

  /** Runs `work`, and checks that the record was still in the `state` that the change had left. */
  async function requireState(state: State, work: () => Promise<unknown>) {
    const last = await findLatest(db, userId, id)
    await work()
    const latest = await findLatest(db, userId, id)
    // Without a new event nothing has changed: the record was in that state already.
    if (latest?.seq === last?.seq || latest?.actor.reverts !== eventId) throw changedSince()
    const isAsLeft = Object.entries(state).every(
      ([field, value]) =>
        field === 'updatedAt' || isDeepStrictEqual(latest?.before?.[field], value),
    )
    if (!isAsLeft) throw changedSince()
  }
}

/** Restores a task and everything that was deleted with it, as far as the linked records still exist. */
async function restoreTask(db: Db, userId: string, id: string, state: State, now: Date) {
  const { labelIds, checklistItems, dependencies, documentIds, ...task } = state as {
    labelIds: string[]
    checklistItems: State[]
    dependencies: { taskId: string; dependsOnTaskId: string }[]
    documentIds: string[]
  }
  await restore.task(db, userId, { ...task, id })
  for (const item of checklistItems) await restore.checklistItem(db, userId, item)
  const kept = await labelsStillThere(db, userId, labelIds)
  if (kept.length > 0) await updateTask(db, userId, id, { labelIds: kept }, now)
  for (const link of dependencies) {
    await ifThere(addDependency(db, userId, link.taskId, link.dependsOnTaskId))
  }
  for (const documentId of documentIds) await ifThere(linkDocument(db, userId, id, documentId))
  await reattachOccurrence(db, userId, id)
}

/** No request sets `pausedAt`, so pausing and resuming restore it. `words` is derived from the other fields. */
async function changeRecurrence(db: Db, userId: string, id: string, state: State, now: Date) {
  const { pausedAt, words: _words, ...fields } = state
  if (Object.keys(fields).length > 0) {
    await updateRecurrence(db, userId, id, RecurrenceChanges.parse(fields), now)
  }
  if (pausedAt === undefined) return
  await (pausedAt === null ? resumeRecurrence : pauseRecurrence)(db, userId, id, now)
}

/** Restores a label on every task that had it and still exists. */
async function restoreLabel(db: Db, userId: string, id: string, state: State, now: Date) {
  const { taskIds, ...label } = state as { taskIds: string[] }
  await restore.label(db, userId, { ...label, id })
  for (const task of await tasksStillThere(db, userId, taskIds)) {
    await updateTask(db, userId, task.id, { labelIds: [...task.label_ids, id] }, now)
  }
}

/** Ignores API errors, which leave the transaction usable. Only a limit (403) aborts it, and is thrown again. */
const ifThere = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status === 403) throw error
  })

/** A missing record or an invalid state means that the change cannot be reverted. */
function asConflict(error: unknown): never {
  throw error instanceof ApiError && [400, 404].includes(error.status) ? changedSince() : error
}
