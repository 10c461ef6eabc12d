// The in-memory model of a user: the rows, without any SQL.
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '@daywright/scheduler'
import { between, earliest, type Stamp, type Time } from './compare.ts'

type Dated = { createdAt: Stamp; updatedAt: Stamp }

export type Space = Dated & {
  id: string
  name: string
  color: string
  icon: string
  isDefault: boolean
  sortOrder: number
  schedulePreferenceId: string | null
}
export type Label = Dated & { id: string; name: string; color: string | null }
export type Project = Dated & {
  id: string
  spaceId: string | null
  name: string
  description: string
  color: string
  icon: string
  status: string
  priority: number | null
  targetDate: Time
  archived: boolean
  autoSchedule: boolean
  sortOrder: number
  schedulePreferenceId: string | null
}
export type Window = { day: number[]; start: string; end: string }
export type Preference = Dated & { id: string; name: string; windows: Window[]; priority: number }
export type Document = Dated & {
  id: string
  spaceId: string | null
  projectId: string | null
  title: string
  content: string
  url: string | null
  docType: string
  sortOrder: number
}
export type TaskStatus = Problem['tasks'][number]['status']
export type Task = Dated & {
  id: string
  spaceId: string | null
  projectId: string | null
  parentTaskId: string | null
  schedulePreferenceId: string | null
  title: string
  description: string
  status: TaskStatus
  priority: Problem['tasks'][number]['priority']
  dueAt: number | null
  startAfter: number | null
  completedAt: Time
  archivedAt: Time
  estimateMinutes: number | null
  actualMinutes: number | null
  minSessionMinutes: number
  maxSessionMinutes: number
  cooldownMinutes: number
  autoSchedule: boolean
  autoSplit: boolean
  locked: boolean
  sortOrder: number
  labelIds: Set<string>
  documentIds: Set<string>
}
export type Item = {
  id: string
  taskId: string
  title: string
  completed: boolean
  sortOrder: number
}
export type Dependency = {
  id: string
  taskId: string
  dependsOnTaskId: string
  createdAt: Stamp
}
export type Block = Dated & {
  id: string
  taskId: string | null
  type: 'task' | 'event'
  title: string
  startAt: number
  endAt: number
  locked: boolean
  defended: boolean
  source: string
  sortOrder: number
  status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'
  explanation: string | null
  cancelReason: 'missed' | 'skipped' | null
  startedAt: Time
  completedAt: Time
  cancelledAt: Time
  /** When the user decided on it as a missed block. */
  reviewedAt: Time
  madeByRun: string | null
  cancelledByRun: string | null
}
export type Notification = {
  id: string
  type: string
  title: string
  body: string
  read: boolean
  metadata: object
  once: string | null
  createdAt: Stamp
}
export type Planned = { taskId: string; startAt: number; endAt: number; defended: boolean }
export type Run = {
  id: string
  state: 'preview' | 'applied' | 'undone'
  plannedAt: number
  /** The input of the plan, as text. */
  problem: string
  fromScratch: boolean
  create: (Planned & { explanation: string })[]
  cancel: string[]
  /** The missed blocks, which the run cancels with the reason `missed`. */
  missed: string[]
  /** The run as the API first showed it; its state may have changed since. */
  shown: Record<string, unknown>
  /** The rank among the user's runs, by when it was made or applied. */
  rank: number
}
export type Key = {
  id: string
  name: string
  /** The key as it was shown once; initial keys were never shown. */
  text: string
  prefix: string
  scopes: string[]
  expiresAt: number | null
  createdAt: Stamp
}

export type Webhook = Dated & {
  id: string
  url: string
  types: string[] | null
  enabled: boolean
  /** As last shown, since nothing is delivered here. */
  lastEventId: string
  /** The number of the last event before the webhook was created. */
  firstEvent: number
  disabledReason: string | null
  createdBy: object
  secret: string
}
export type Calendar = Dated & {
  createdBy: object
  id: string
  name: string
  color: string
  host: string
  kind: string
  username: unknown
  shown: boolean
  blocks: boolean
  allDay: string
  tentativeBlocks: boolean
  paddingMinutes: number
}
export type PlanCalendar = Dated & {
  id: string
  name: string
  host: string
  username: string
  detail: string
  twoWay: boolean
  removing: boolean
}
export type Feed = { id: string; name: string; detail: string; createdAt: Stamp }
export type Recurrence = Dated & {
  id: string
  kind: string
  rule: string
  times: null
  startsOn: string
  endsOn: string | null
  most: null
  startTime: string
  dueTime: null
  leadDays: number
  missed: string
  preferredTime: null
  checklist: string[]
  task: Record<string, unknown>
  words: string
  follows: string | null
  pausedAt: Stamp | null
  /** By day. The stamp is the task's `updatedAt` as long as the user has not edited the task. */
  occurrences: Map<string, { taskId: string; stamp: Stamp | null }>
}
export type Settings = {
  automatic: boolean
  quietHours: { from: string; to: string } | null
  dailyRunAt: string
  morningSummaryAt: string | null
  deadlineAlerts: boolean
  missedBlocks: 'reschedule' | 'assume-done'
  assumedMinutes: number | null
  schedulePreferenceId: string | null
  planning: Record<string, unknown>
}

export type Rows = {
  spaces: Map<string, Space>
  labels: Map<string, Label>
  projects: Map<string, Project>
  preferences: Map<string, Preference>
  documents: Map<string, Document>
  tasks: Map<string, Task>
  items: Map<string, Item>
  dependencies: Map<string, Dependency>
  blocks: Map<string, Block>
  notifications: Map<string, Notification>
  runs: Map<string, Run>
  keys: Map<string, Key>
  webhooks: Map<string, Webhook>
  calendars: Map<string, Calendar>
  feeds: Map<string, Feed>
  planCalendars: Map<string, PlanCalendar>
  recurrences: Map<string, Recurrence>
}
export type Kind = keyof Rows

export const noRows = (): Rows => ({
  spaces: new Map(),
  labels: new Map(),
  projects: new Map(),
  preferences: new Map(),
  documents: new Map(),
  tasks: new Map(),
  items: new Map(),
  dependencies: new Map(),
  blocks: new Map(),
  notifications: new Map(),
  runs: new Map(),
  keys: new Map(),
  webhooks: new Map(),
  calendars: new Map(),
  feeds: new Map(),
  planCalendars: new Map(),
  recurrences: new Map(),
})

/** The time range of a request. The service's current time lies within it, except for rounding. */
export type During = { began: number; ended: number }

export const now = ({ began, ended }: During) => between(began - 1, ended + 1)

/** Sets `updatedAt`, strictly later than before even within the same millisecond. */
export function touch(row: { updatedAt: Stamp }, { began, ended }: During) {
  const before = row.updatedAt
  row.updatedAt = between(
    Math.max(began - 1, before.earliest + 1),
    Math.max(ended + 1, before.latest + 1),
  )
}

const plain = (row: object) => JSON.parse(JSON.stringify(row)) as object

/** Changes a row and its `updatedAt`, unless the change has no effect. */
export function edit(row: { updatedAt: Stamp }, during: During, change: () => void) {
  const before = plain(row)
  change()
  if (!isDeepStrictEqual(plain(row), before)) touch(row, during)
}

export const isOpen = ({ status }: { status: TaskStatus }) =>
  status === 'backlog' || status === 'todo' || status === 'in_progress'

/** Whether the block still reserves time for its task. */
export const isActive = ({ status, endAt }: Block, moment: number) =>
  (status === 'scheduled' || status === 'in_progress') && endAt > moment

/** The title of a task's block is that of the task. */
export const titleOfBlock = (rows: Rows, { taskId, title }: Block) =>
  rows.tasks.get(taskId ?? '')?.title ?? title

/** Deletes a task and what belongs to it, except its blocks and subtasks, which are detached. */
export function removeTask(rows: Rows, id: string, during: During) {
  for (const block of rows.blocks.values()) {
    if (block.taskId !== id) continue
    block.title = titleOfBlock(rows, block)
    block.taskId = null
    touch(block, during)
  }
  rows.tasks.delete(id)
  for (const task of rows.tasks.values()) {
    if (task.parentTaskId !== id) continue
    task.parentTaskId = null
    touch(task, during)
  }
  for (const item of rows.items.values()) if (item.taskId === id) rows.items.delete(item.id)
  for (const link of rows.dependencies.values()) {
    if (link.taskId === id || link.dependsOnTaskId === id) rows.dependencies.delete(link.id)
  }
}

const day = 86_400_000

/** Deletes what a planner run deletes: tasks archived and planner blocks cancelled more than 30 days ago. */
export function clearAway(rows: Rows, moment: number, during: During) {
  const old = [...rows.tasks.values()].filter(
    ({ status, archivedAt }) => status === 'archived' && earliest(archivedAt) < moment - 30 * day,
  )
  for (const { id } of old) removeTask(rows, id, during)
  for (const { id, status, source, cancelledAt } of rows.blocks.values()) {
    const isOld = earliest(cancelledAt) < moment - 30 * day
    if (status === 'cancelled' && source === 'auto' && isOld) rows.blocks.delete(id)
  }
}

type Rank = number | string

/** Sorts by several keys. Texts are compared as in PostgreSQL's "C" collation: by bytes. */
export function inOrder<Item>(items: Iterable<Item>, ...keys: ((item: Item) => Rank)[]) {
  return [...items].toSorted((one, other) => {
    for (const key of keys) {
      const order = compare(key(one), key(other))
      if (order !== 0) return order
    }
    return 0
  })
}

function compare(one: Rank, other: Rank) {
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  }
  return one < other ? -1 : one > other ? 1 : 0
}
