// Completes a given recurrence with defaults, and checks it.
import type {
  NewRecurrence,
  RecurrenceChanges,
  RecurrenceRuleInput,
  RecurringTask,
} from '@daywright/contract'
import {
  addDays,
  describeSeries,
  nextSlot,
  readRule,
  RuleRefused,
  type Series,
} from '@daywright/recurrence'
import { invalid } from '../../platform/errors.ts'

const taskDefaults = {
  description: '',
  priority: 'none',
  estimateMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  spaceId: null,
  projectId: null,
  schedulePreferenceId: null,
} as const

/** The ids without duplicates, sorted, in lower case as in the database. */
const distinct = (ids: string[] = []) => [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()

/** The task with its defaults. A habit (kind `times`) is not split by default. */
export const templateOf = (given: NewRecurrence['task'], kind: Series['kind']): RecurringTask => ({
  ...taskDefaults,
  autoSplit: kind !== 'times',
  ...given,
  labelIds: distinct(given.labelIds),
})

export const changedTemplate = (
  task: RecurringTask,
  { labelIds, ...given }: NonNullable<RecurrenceChanges['task']> = {},
): RecurringTask => ({ ...task, ...given, ...(labelIds && { labelIds: distinct(labelIds) }) })

export type NewSeries = Series & { checklist: string[]; preferredTime: string | null }

/** The rule of a new recurrence with its defaults. By default a missed habit lapses, and other work waits. */
export function seriesOf(given: RecurrenceRuleInput): NewSeries {
  const { kind, rule, startsOn, checklist = [], preferredTime = null } = given
  const { times = null, endsOn = null, most = null, dueTime = null } = given
  const { startTime = '00:00', leadDays = 0, missed = kind === 'times' ? 'lapse' : 'wait' } = given
  const series = { kind, rule, times, startsOn, endsOn, most, startTime, dueTime, leadDays, missed }
  return { ...series, checklist, preferredTime }
}

/** Describes the recurrence in words. Refuses one that makes no sense. */
export function checkSeries(series: Series): string {
  const { kind, rule, times, startsOn, endsOn, startTime, dueTime, leadDays } = series
  const refuse = (field: string, message: string): never => {
    throw invalid({ [field]: [message] })
  }
  try {
    readRule(kind, rule)
  } catch (error) {
    if (!(error instanceof RuleRefused)) throw error
    refuse('rule', error.message)
  }
  if (kind === 'times' && times === null) refuse('times', 'Is needed for the kind times')
  if (kind !== 'times' && times !== null) refuse('times', 'Is only for the kind times')
  if (kind === 'times' && leadDays > 0) refuse('leadDays', 'Must be 0 for the kind times')
  if (leadDays === 0 && dueTime !== null && dueTime <= startTime) {
    refuse('dueTime', 'Must be after startTime')
  }
  if (endsOn !== null && endsOn < startsOn) refuse('endsOn', 'Must not be before startsOn')
  if (!nextSlot({ ...series, endsOn: null }, addDays(startsOn, -1), new Set())) {
    refuse('rule', 'Must have at least one day')
  }
  return describeSeries(series)
}
