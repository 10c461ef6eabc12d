// The initial data of every user: a record of most kinds, so that even the first step can find a fault.
import { newKey } from '../../../server/src/platform/auth/api-key-format.ts'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { between } from './compare.ts'
import { noRows, type Rows, type Task } from './model.ts'

const hour = 3_600_000

export function belongings(userId: string, began: number) {
  const rows = noRows()
  const moment = () => between(began - 1000, began - 1000)
  const dated = () => ({ createdAt: moment(), updatedAt: moment() })
  const add = <Row extends { id: string }>(table: Map<string, Row>, row: Omit<Row, 'id'>) => {
    const id = newId()
    table.set(id, { ...row, id } as Row)
    return id
  }
  const look = { color: '#6B7280', icon: 'folder', sortOrder: 0, schedulePreferenceId: null }
  add(rows.spaces, { name: 'Personal', ...look, isDefault: true, ...dated() })
  const spaceId = add(rows.spaces, { name: 'Work', ...look, isDefault: false, ...dated() })
  const projectId = add(rows.projects, {
    spaceId,
    name: 'Website',
    description: '',
    ...look,
    status: 'backlog',
    priority: null,
    targetDate: null,
    archived: false,
    autoSchedule: true,
    ...dated(),
  })
  const labelIds = ['a', 'B'].map((name) =>
    add(rows.labels, { name, color: '#1A2B3C', ...dated() }),
  )
  const windows = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '06:00', end: '22:00' }]
  const preferenceId = add(rows.preferences, { name: 'All day', windows, priority: 1, ...dated() })
  const documentId = add(rows.documents, {
    spaceId,
    projectId,
    title: 'Brief',
    content: '# Goals',
    url: null,
    docType: 'spec',
    sortOrder: 1,
    ...dated(),
  })
  const task = (title: string, more: Partial<Task>) =>
    add(rows.tasks, {
      ...blank,
      ...dated(),
      labelIds: new Set(),
      documentIds: new Set(),
      title,
      ...more,
    })
  const long = task('Write the report', {
    spaceId,
    projectId,
    priority: 'high',
    estimateMinutes: 90,
    labelIds: new Set(labelIds.slice(0, 1)),
    documentIds: new Set([documentId]),
  })
  const due = task('Call back', { parentTaskId: long, dueAt: began + 10 * hour })
  task('Read', { schedulePreferenceId: preferenceId, estimateMinutes: 30, locked: true })
  add(rows.items, { taskId: long, title: 'Ask for the figures', completed: true, sortOrder: 0 })
  add(rows.dependencies, { taskId: due, dependsOnTaskId: long, createdAt: moment() })
  task('Old', {
    status: 'archived',
    archivedAt: moment(),
    estimateMinutes: 30,
    actualMinutes: 45,
  })
  const block = (taskId: string, title: string, startAt: number) =>
    add(rows.blocks, { ...byHand, ...dated(), taskId, title, startAt, endAt: startAt + hour })
  block(long, 'Write the report', began + 26 * hour)
  block(due, 'Call back', began - 3 * hour)
  add(rows.notifications, {
    type: 'at_risk_deadline',
    title: '1 task is due',
    body: 'Call back',
    read: false,
    metadata: { taskIds: [due], count: 1 },
    once: null,
    createdAt: between(began - 7 * hour, began - 7 * hour),
  })
  return { rows, keys: keysOf(userId, rows, moment) }
}

const blank = {
  spaceId: null,
  projectId: null,
  parentTaskId: null,
  schedulePreferenceId: null,
  description: '',
  status: 'todo',
  priority: 'none',
  dueAt: null,
  startAfter: null,
  completedAt: null,
  archivedAt: null,
  estimateMinutes: null,
  actualMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  locked: false,
  sortOrder: 0,
} as const

const byHand = {
  type: 'task',
  locked: false,
  defended: false,
  source: 'manual',
  sortOrder: 0,
  status: 'scheduled',
  explanation: null,
  cancelReason: null,
  startedAt: null,
  completedAt: null,
  cancelledAt: null,
  reviewedAt: null,
  madeByRun: null,
  cancelledByRun: null,
} as const

function keysOf(userId: string, { keys }: Rows, moment: () => ReturnType<typeof between>) {
  const keyUntil = (expiresAt: number | null, ...scopes: string[]) => {
    const { key: text, prefix } = newKey(userId)
    const id = newId()
    keys.set(id, { id, name: 'proof', text, prefix, scopes, expiresAt, createdAt: moment() })
    return text
  }
  const keyFor = (...scopes: string[]) => keyUntil(null, ...scopes)
  // An expired key cannot be issued by a request.
  keyUntil(Date.parse('2026-01-01T00:00:00Z'), 'read', 'write', 'planner')
  return {
    key: keyFor('read', 'write', 'planner', 'webhooks'),
    read: keyFor('read'),
    write: keyFor('write'),
    planner: keyFor('planner'),
  }
}
