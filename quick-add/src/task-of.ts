// A parsed line as a new task. The web app and the server both use it, so that a line means the same in both.
import type { TaskPriority } from '@daywright/contract'
import type { QuickAdd } from './parse-quick-add.ts'
import type { Repeat } from './repeats.ts'
import { dayOf } from './zoned-time.ts'

export type ParsedTask = {
  title: string
  dueAt?: string
  startAfter?: string
  estimateMinutes?: number
  priority?: TaskPriority
  spaceId?: string | null
  projectId?: string | null
  labelIds?: string[]
}

/** The sessions of a task that is added in the app or by quick add, unless the user chooses others. */
export const usualSessions = {
  minSessionMinutes: 30,
  maxSessionMinutes: 120,
  cooldownMinutes: 10,
}

/** The fields that the line names; a space alone means no project, and a project brings its space. */
export function taskOf(parsed: QuickAdd): ParsedTask {
  const { title, dueAt, startAfter, estimateMinutes, priority, space, project, labels } = parsed
  const labelIds = [...new Set(labels.map(({ id }) => id))]
  return {
    title,
    ...(dueAt && { dueAt: dueAt.toISOString() }),
    ...(startAfter && { startAfter: startAfter.toISOString() }),
    ...(estimateMinutes && { estimateMinutes }),
    ...(priority && { priority }),
    ...(space && { spaceId: space.id, projectId: null }),
    ...(project && { projectId: project.id, spaceId: project.spaceId }),
    ...(labelIds.length > 0 && { labelIds }),
  }
}

export type ParsedRecurrence = Pick<Repeat, 'kind' | 'rule' | 'times' | 'endsOn'> & {
  startsOn: string
  dueTime?: string
}

/** The recurrence that the line names. It starts on the day that the line names, or today. */
export function recurrenceOf(
  { repeat, dueAt }: QuickAdd,
  now: Date,
  zone: string,
): ParsedRecurrence | undefined {
  if (!repeat) return undefined
  const { time, startsOn = dayOf(dueAt ?? now, zone).toString(), ...rule } = repeat
  // Midnight is the end of the day, which is the default.
  return { ...rule, startsOn, ...(time && time !== '00:00' && { dueTime: time }) }
}

/** The labels that have to be created first, without those that differ only in case. */
export function newLabelsOf({ newLabels }: QuickAdd) {
  const lower = newLabels.map((name) => name.toLowerCase())
  return newLabels.filter((_, i) => lower.indexOf(lower[i]!) === i)
}

/** The lines of a pasted text, without empty ones and without list markers. */
export const linesOf = (text: string) =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) =>
      line.replace(/^\s*(?:[-*•–]\s+(?:\[[ xX]?\]\s+)?|\[[ xX]?\]\s+|\d{1,3}[.)]\s+)?/, '').trim(),
    )
    .filter((line) => line !== '')
