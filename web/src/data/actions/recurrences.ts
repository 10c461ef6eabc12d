// Actions on recurring tasks. Each occurrence is a task, which the service creates and changes.
import type { Client } from '@daywright/client'
import type { Occurrence, Recurrence, Task } from '@daywright/contract'
import type { Action } from '../action.ts'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import { revertLast } from '../undo.ts'
import type { NewTask } from './tasks.ts'

export type RepeatRule = Parameters<Client['recurrences']['preview']>[0]

const refreshes = [keys.recurrences, keys.tasks, keys.blocks, keys.planner]

/** The service reverts the recurrence together with its open occurrences. */
const revert = (id: string): Action => ({ send: () => revertLast(id), refreshes })

export const createRecurrence = (task: NewTask, rule: RepeatRule): Action<Recurrence> => ({
  says: ({ words }) => `Added “${task.title}”, ${words}.`,
  send: () => api.recurrences.create({ ...rule, task: templateOf(task) }),
  refreshes,
  undo: ({ id }) => revert(id),
})

/** The fields that every occurrence gets. Its times come from the rule. */
function templateOf(task: NewTask) {
  const { title, description, priority, estimateMinutes, spaceId, projectId, labelIds } = task
  const { minSessionMinutes, maxSessionMinutes, cooldownMinutes } = task
  const fields = { title, priority, estimateMinutes, spaceId, projectId, labelIds }
  const sessions = { minSessionMinutes, maxSessionMinutes, cooldownMinutes }
  return { ...fields, ...sessions, ...(description && { description }) }
}

export const repeatTask = (
  { id, title }: Pick<Task, 'id' | 'title'>,
  rule: RepeatRule,
): Action<Recurrence> => ({
  says: ({ words }) => `“${title}” repeats ${words}.`,
  send: () => api.recurrences.createFromTask(id, rule),
  refreshes,
  undo: (made) => revert(made.id),
})

const quoteTitle = ({ task }: Recurrence) => `“${task.title}”`

/** The fields that can be changed. The kind is not among them: a recurrence keeps it. */
const changesOf = ({ rule, times, endsOn, most, dueTime, preferredTime, missed }: RepeatRule) => ({
  rule,
  times,
  endsOn,
  most,
  dueTime,
  preferredTime,
  missed,
})

export const changeRecurrence = (recurrence: Recurrence, rule: RepeatRule): Action<Recurrence> => ({
  says: ({ words }) => `${quoteTitle(recurrence)} repeats ${words}.`,
  send: () =>
    api.recurrences.update(recurrence.id, { ...changesOf(rule), startsOn: rule.startsOn }),
  refreshes,
  undo: () => revert(recurrence.id),
})

/** Changes the rule from a day on. Occurrences before that day stay as they are. */
export const changeRecurrenceFrom = (
  recurrence: Recurrence,
  from: string,
  rule: RepeatRule,
): Action<Recurrence> => ({
  says: ({ words }) => `From now on, ${quoteTitle(recurrence)} repeats ${words}.`,
  send: () => api.recurrences.split(recurrence.id, { ...changesOf(rule), from }),
  refreshes,
  undo: (made) => ({
    send: async () => {
      await revertLast(made.id)
      await revertLast(recurrence.id)
    },
    refreshes,
  }),
})

export const pauseRecurrence = (recurrence: Recurrence): Action => ({
  says: `Paused ${quoteTitle(recurrence)}.`,
  send: () => api.recurrences.pause(recurrence.id),
  refreshes,
  undo: () => resumeRecurrence(recurrence),
})

export const resumeRecurrence = (recurrence: Recurrence): Action => ({
  says: `${quoteTitle(recurrence)} repeats again.`,
  send: () => api.recurrences.resume(recurrence.id),
  refreshes,
  undo: () => pauseRecurrence(recurrence),
})

/** Ends a recurrence after `lastDay`. The occurrences up to that day stay. */
export const endRecurrence = (recurrence: Recurrence, lastDay: string): Action => ({
  says: `${quoteTitle(recurrence)} no longer repeats.`,
  send: () => api.recurrences.update(recurrence.id, { endsOn: lastDay }),
  refreshes,
  undo: () => revert(recurrence.id),
})

/** Deletes a recurrence. The service archives its open occurrences. */
export const deleteRecurrence = (recurrence: Recurrence): Action => ({
  says: `Deleted ${quoteTitle(recurrence)} and its open tasks.`,
  send: () => api.recurrences.delete(recurrence.id),
  refreshes,
  undo: () => revert(recurrence.id),
})

type Key = Pick<Occurrence, 'day' | 'nth'>

export const skipOccurrence = (
  recurrence: Recurrence,
  { day, nth }: Key,
  when: string,
): Action => ({
  says: `Skipped ${quoteTitle(recurrence)} on ${when}.`,
  send: () => api.recurrences.skip(recurrence.id, { day, nth }),
  refreshes,
  undo: () => unskipOccurrence(recurrence, { day, nth }, when),
})

export const unskipOccurrence = (
  recurrence: Recurrence,
  { day, nth }: Key,
  when: string,
): Action => ({
  says: `${quoteTitle(recurrence)} is back on ${when}.`,
  send: () => api.recurrences.unskip(recurrence.id, { day, nth }),
  refreshes,
  undo: () => skipOccurrence(recurrence, { day, nth }, when),
})
