// Describes a change of a task, field by field.
import type { Event, TaskPriority, TaskStatus } from '@daywright/contract'
import { isDeepEqual } from './equal.ts'
import { priorityNames, statusNames } from '../../../data/actions/task-fields.ts'
import { formatDay, formatMinutes, formatTime } from '../../../time/format.ts'
import type { Zone } from '../../../time/zone.ts'

export type Names = Map<string, string>

const fields: Record<string, string> = {
  title: 'Title',
  description: 'Description',
  status: 'Status',
  priority: 'Priority',
  dueAt: 'Due',
  startAfter: 'Start after',
  estimateMinutes: 'Estimate',
  minSessionMinutes: 'Shortest session',
  maxSessionMinutes: 'Longest session',
  cooldownMinutes: 'Break',
  spaceId: 'Space',
  projectId: 'Project',
  labelIds: 'Labels',
  schedulePreferenceId: 'Hours',
  autoSchedule: 'Planned automatically',
  autoSplit: 'Split',
  locked: 'Frozen',
}

export function changesIn({ before, after }: Event, names: Names, zone: Zone) {
  return Object.keys(fields)
    .filter((field) => !isDeepEqual(before?.[field], after?.[field]))
    .map((field) => {
      const words = (value: unknown) => formatValue(field, value, names, zone)
      if (field === 'description') return { field, words: 'Description changed' }
      return {
        field,
        words: `${fields[field]}: ${words(before?.[field])} → ${words(after?.[field])}`,
      }
    })
}

function formatValue(field: string, value: unknown, names: Names, zone: Zone): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) {
    return value.map((each) => formatValue(field, each, names, zone)).join(', ') || 'none'
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatMinutes(value)
  if (typeof value !== 'string') return '…'
  if (field === 'status') return statusNames[value as TaskStatus].toLowerCase()
  if (field === 'priority') return priorityNames[value as TaskPriority].toLowerCase()
  if (field === 'dueAt' || field === 'startAfter') {
    const date = new Date(value)
    return `${formatDay(date, zone)} ${formatTime(date, zone)}`
  }
  if (field.endsWith('Id') || field.endsWith('Ids'))
    return names.get(value) ?? 'one that was deleted'
  return `“${value}”`
}
