// Usage and limits per user. `user_state` counts usage in the statement of the change, while its row is
// locked, so concurrent requests cannot exceed a limit together.
import { ApiError, forbidden } from '../errors.ts'
import { limits, raw, sql } from './sql.ts'

/** Each counted resource: the record's name in events, the column, and the name in messages. */
const counted = {
  tasks: ['task', 'task_count', 'tasks'],
  projects: ['project', 'project_count', 'projects'],
  spaces: ['space', 'space_count', 'spaces'],
  labels: ['label', 'label_count', 'labels'],
  documents: ['document', 'document_count', 'documents'],
  checklistItems: ['checklistItem', 'checklist_item_count', 'checklist items'],
  schedulePreferences: ['schedulePreference', 'schedule_preference_count', 'schedule preferences'],
  timeBlocks: ['timeBlock', 'time_block_count', 'time blocks placed by hand'],
  dependencies: ['dependency', 'dependency_count', 'dependencies'],
  documentLinks: ['documentLink', 'document_link_count', 'links between tasks and documents'],
  notifications: ['notification', 'notification_count', 'notifications'],
} as const

export type Counted = keyof typeof counted
export type Limits = Record<Counted | 'textBytes' | 'historyBytes' | 'answerBytes', number>

export const countedResources = Object.keys(counted) as Counted[]
export const columnOf = (resource: Counted) => counted[resource][1]

/** Generous for one person and their scripts. */
export const defaultLimits: Limits = {
  tasks: 50_000,
  projects: 5_000,
  spaces: 500,
  labels: 5_000,
  documents: 10_000,
  checklistItems: 200_000,
  schedulePreferences: 500,
  timeBlocks: 100_000,
  dependencies: 100_000,
  documentLinks: 100_000,
  notifications: 10_000,
  textBytes: 100_000_000,
  historyBytes: 500_000_000,
  answerBytes: 250_000_000,
}

type Recorded = { type: string; before?: string; after?: string }
type Usage = { column: string; limit?: keyof Limits; added: string }

const recordOf = ({ type }: Recorded) => type.split('.', 1)[0] ?? ''
const textOf: Record<string, (record: string) => string> = {
  task: (record) => `octet_length(${record} ->> 'description')`,
  project: (record) => `octet_length(${record} ->> 'description')`,
  document: (record) => `(${record} -> 'content' ->> 'length')::bigint`,
}

/** SQL for the in-memory size of an event's records, which costs nothing to read. */
export const bytesOfChange = `
           coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)`

/** SQL for what a row of `idempotency_keys` takes: its key twice, with the index, what else it has, and its response. */
export const bytesOfKey = '(300 + 2 * octet_length(key) + coalesce(octet_length(body), 0))'

/** What the changes add to each counter, as SQL over the rows of `change`. */
export function usageOf(
  changes: readonly Recorded[],
  went: Partial<Record<Counted, string>>,
  replaced: string | undefined,
): Usage[] {
  const placesOf = (record: string) =>
    changes.flatMap((change, place) => (recordOf(change) === record ? [place] : []))
  const rows = countedResources.flatMap((limit): Usage[] => {
    const [record, column] = counted[limit]
    // A block counts only while it is placed by hand, so an update can change the count, too.
    const isMoved = (change: Recorded) =>
      recordOf(change) === record && (record === 'timeBlock' || !(change.before && change.after))
    const gone = went[limit]
    if (!gone && !changes.some(isMoved)) return []
    const has = (state: string) =>
      record === 'timeBlock'
        ? `coalesce((${state} ->> 'source' = 'manual')::int, 0)`
        : `(${state} is not null)::int`
    const places = placesOf(record)
    const sum =
      places.length > 0
        ? `coalesce(sum(${has('change.after')} - ${has('change.before')})
                      filter (where change.place in (${places.join()})), 0)`
        : '0'
    return [{ column, limit, added: gone ? `${sum} - (${gone})` : sum }]
  })
  const texts = Object.entries(textOf).flatMap(([record, text]) =>
    placesOf(record).map(
      (place) =>
        `coalesce(sum(coalesce(${text('change.after')}, 0) - coalesce(${text('change.before')}, 0))
                      filter (where change.place = ${place}), 0)`,
    ),
  )
  const kept = replaced
    ? ` + coalesce((select sum(octet_length(replaced.content)) from ${replaced} replaced), 0)`
    : ''
  return [
    ...rows,
    ...(texts.length > 0
      ? [{ column: 'text_bytes', limit: 'textBytes' as const, added: texts.join(' + ') }]
      : []),
    { column: 'history_bytes', added: `sum(${bytesOfChange})${kept}` },
  ]
}

export const limitOf = (limit: keyof Limits) =>
  sql`(${limits}::jsonb ->> ${raw(`'${limit}'`)})::bigint`

/** Adds to a counter. The sum is null above the limit, which the column's not-null constraint refuses. */
export const addUsage = ({ column, limit }: Usage) => {
  const sum = raw(`user_state.${column} + excluded.${column}`)
  if (!limit) return sql`${raw(column)} = ${sum}`
  return sql`${raw(column)} = case when excluded.${raw(column)} <= 0 or (${sum} > ${limitOf(limit)}) is not true
                         then ${sum} end`
}

/** True above the limit. The user is then due at once, and the worker deletes events by age, or by size if needed. */
export const historyIsFull = sql`user_state.history_bytes > ${limitOf('historyBytes')}`

const notNull = '23502'

/** Translates a not-null violation that a limit has caused; returns any other error unchanged. */
export function asLimitReached(error: unknown, limits: string): unknown {
  const { code, column } = error as { code?: string; column?: string }
  if (code !== notNull) return error
  const limit = (name: keyof Limits) => (JSON.parse(limits) as Limits)[name]
  if (column === 'text_bytes') return textLimitReached(limit('textBytes'))
  const found = countedResources.find((resource) => columnOf(resource) === column)
  return found ? limitReached(limit(found), found) : error
}

const whatToDo = 'Delete what you no longer need, or ask your operator for more.'

const whatElseToDo: Partial<Record<Counted, string>> = {
  notifications:
    'Mark them as read: read notifications are deleted 30 days after they were written.',
}

function limitReached(limit: number, resource: Counted): ApiError {
  const most = `${limit.toLocaleString('en-US')} ${counted[resource][2]}`
  return forbidden(`You have reached the limit of ${most}. ${whatElseToDo[resource] ?? whatToDo}`)
}

const textLimitReached = (limit: number): ApiError =>
  forbidden(
    `You have reached the limit of ${(limit / 1_000_000).toLocaleString('en-US')} MB of text in ` +
      `documents and descriptions. ${whatToDo}`,
  )
