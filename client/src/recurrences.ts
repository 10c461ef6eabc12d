// Recurring work. Each occurrence is a task.
import {
  ComingOccurrence,
  type ComingRange,
  type NewRecurrence,
  Occurrence,
  type OccurrenceKey,
  type OccurrenceRange,
  Occurrences,
  Recurrence,
  type RecurrenceChanges,
  RecurrencePreview,
  type RecurrenceRemoval,
  type RecurrenceRuleInput,
  type RecurrenceSplitInput,
  TaskRecurrence,
} from '@daywright/contract'
import { at, type Call, type Sent } from './call.ts'

export const recurrences = (call: Call) => ({
  recurrences: {
    list: () => call.get(Recurrence.array(), '/api/recurrences'),
    get: (id: string) => call.get(Recurrence, at`/api/recurrences/${id}`),
    /** The next occurrences (at most 20) and the rule in words; nothing is stored. */
    preview: (rule: Sent<typeof RecurrenceRuleInput>) =>
      call.post(RecurrencePreview, '/api/recurrences/preview', rule),
    create: (recurrence: Sent<typeof NewRecurrence>) =>
      call.post(Recurrence, '/api/recurrences', recurrence),
    /** Makes a task recur. The task becomes the first occurrence. */
    createFromTask: (taskId: string, rule: Sent<typeof RecurrenceRuleInput>) =>
      call.post(Recurrence, at`/api/tasks/${taskId}/recurrence`, rule),
    /** The recurrence of a task, and which of its occurrences the task is. */
    ofTask: (taskId: string) => call.get(TaskRecurrence, at`/api/tasks/${taskId}/recurrence`),
    update: (id: string, changes: Sent<typeof RecurrenceChanges>) =>
      call.patch(Recurrence, at`/api/recurrences/${id}`, changes),
    /** Changes a recurrence from a day on. Returns the new recurrence, which begins on that day. */
    split: (id: string, changes: Sent<typeof RecurrenceSplitInput>) =>
      call.post(Recurrence, at`/api/recurrences/${id}/split`, changes),
    delete: (id: string, removal?: RecurrenceRemoval) =>
      call.delete(at`/api/recurrences/${id}`, removal),
    pause: (id: string) => call.post(Recurrence, at`/api/recurrences/${id}/pause`),
    resume: (id: string) => call.post(Recurrence, at`/api/recurrences/${id}/resume`),
    /** The occurrences of all recurrences whose tasks do not exist yet. */
    coming: (range: ComingRange) =>
      call.get(ComingOccurrence.array(), '/api/recurrences/coming', { ...range }),
    occurrences: (id: string, range?: OccurrenceRange) =>
      call.get(Occurrences, at`/api/recurrences/${id}/occurrences`, { ...range }),
    skip: (id: string, key: OccurrenceKey) =>
      call.post(Occurrence, at`/api/recurrences/${id}/skip`, key),
    unskip: (id: string, key: OccurrenceKey) =>
      call.post(Occurrence, at`/api/recurrences/${id}/unskip`, key),
  },
})
