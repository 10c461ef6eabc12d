// How the service should show the model's records: every JSON form of each.
import { createHash } from 'node:crypto'
import { wire } from './compare.ts'
import {
  type Calendar,
  type Recurrence,
  type Block,
  type Document,
  inOrder,
  isOpen,
  type Item,
  type Feed,
  type PlanCalendar,
  type Key,
  type Label,
  type Notification,
  type Preference,
  type Project,
  type Rows,
  type Space,
  type Task,
  titleOfBlock,
  type Webhook,
} from './model.ts'

const statuses = ['backlog', 'todo', 'in_progress', 'completed', 'cancelled', 'archived']
const priorities = ['urgent', 'high', 'medium', 'low', 'none']

export type Viewer = { id: string; rows: Rows }

export const spaceInEvents = ({ id: userId }: Viewer, space: Space) => ({ ...space, userId })

export const spaceOf = (viewer: Viewer, space: Space) => {
  const { schedulePreferenceId: _hidden, ...shown } = spaceInEvents(viewer, space)
  return shown
}

const summaryOf = (space: Space | undefined) =>
  space ? { id: space.id, name: space.name, color: space.color, icon: space.icon } : null

const placeOf = (place: Space | Project | undefined) =>
  place ? { id: place.id, name: place.name, color: place.color } : null

const count = <Row>(rows: Map<string, Row>, isCounted: (row: Row) => boolean) =>
  [...rows.values()].filter(isCounted).length

export const listedSpaces = (viewer: Viewer) => {
  const { rows } = viewer
  return inOrder(
    rows.spaces.values(),
    ({ sortOrder }) => sortOrder,
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).map((space) => ({
    ...spaceOf(viewer, space),
    projects: inOrder(
      [...rows.projects.values()].filter(
        ({ spaceId, archived }) => spaceId === space.id && !archived,
      ),
      ({ sortOrder }) => sortOrder,
      ({ id }) => id,
    ).map((project) => ({
      ...placeOf(project),
      _count: { tasks: count(rows.tasks, ({ projectId }) => projectId === project.id) },
    })),
    _count: {
      tasks: count(rows.tasks, ({ spaceId }) => spaceId === space.id),
      documents: count(rows.documents, ({ spaceId }) => spaceId === space.id),
    },
  }))
}

export const labelOf = ({ id: userId }: Viewer, label: Label) => ({ ...label, userId })

export const listedLabels = (viewer: Viewer) =>
  inOrder(viewer.rows.labels.values(), ({ name }) => name).map((label) => ({
    ...labelOf(viewer, label),
    _count: { tasks: count(viewer.rows.tasks, ({ labelIds }) => labelIds.has(label.id)) },
  }))

export const projectInEvents = ({ id: userId }: Viewer, project: Project) => ({
  ...project,
  userId,
  targetDate: wire(project.targetDate),
})

export const projectOf = (viewer: Viewer, project: Project) => {
  const {
    autoSchedule: _automatic,
    schedulePreferenceId: _default,
    ...shown
  } = projectInEvents(viewer, project)
  return shown
}

export const projectWithSpace = (viewer: Viewer, project: Project) => ({
  ...projectOf(viewer, project),
  space: summaryOf(viewer.rows.spaces.get(project.spaceId ?? '')),
})

export const listedProjects = (viewer: Viewer, isWanted: (project: Project) => boolean) =>
  inOrder(
    [...viewer.rows.projects.values()].filter((project) => !project.archived && isWanted(project)),
    ({ sortOrder }) => sortOrder,
    ({ id }) => id,
  ).map((project) => ({
    ...projectWithSpace(viewer, project),
    _count: {
      tasks: count(viewer.rows.tasks, ({ projectId }) => projectId === project.id),
      documents: count(viewer.rows.documents, ({ projectId }) => projectId === project.id),
    },
  }))

const byUrgency = [
  ({ priority }: Task) => priorities.indexOf(priority),
  ({ dueAt }: Task) => dueAt ?? Infinity,
  ({ sortOrder }: Task) => sortOrder,
  ({ id }: Task) => id,
]

export const fullProject = (viewer: Viewer, project: Project) => ({
  ...projectWithSpace(viewer, project),
  tasks: inOrder(
    [...viewer.rows.tasks.values()].filter((task) => task.projectId === project.id && isOpen(task)),
    ...byUrgency,
  )
    .slice(0, 50)
    .map((task) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      priority: task.priority,
      dueAt: wire(task.dueAt),
      estimateMinutes: task.estimateMinutes,
      labels: labelsOf(viewer, task),
    })),
  documents: documentsInOrder(viewer, ({ projectId }) => projectId === project.id).map(
    ({ id, title, docType, url, createdAt }) => ({ id, title, docType, url, createdAt }),
  ),
})

const documentsInOrder = ({ rows }: Viewer, isWanted: (document: Document) => boolean) =>
  inOrder(
    [...rows.documents.values()].filter(isWanted),
    ({ sortOrder }) => sortOrder,
    ({ id }) => id,
  )

export const documentOf = ({ id: userId }: Viewer, document: Document) => ({ ...document, userId })

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Events contain only the hash and the length of a document's text. */
export const documentInEvents = (viewer: Viewer, document: Document) => ({
  ...documentOf(viewer, document),
  content: { hash: hashOf(document.content), length: Buffer.byteLength(document.content) },
})

const documentWithPlaces = (viewer: Viewer, document: Document) => ({
  ...documentOf(viewer, document),
  space: placeOf(viewer.rows.spaces.get(document.spaceId ?? '')),
  project: placeOf(viewer.rows.projects.get(document.projectId ?? '')),
})

export const listedDocuments = (viewer: Viewer, isWanted: (document: Document) => boolean) =>
  documentsInOrder(viewer, isWanted).map((document) => documentWithPlaces(viewer, document))

export const linkOf = (task: Task, documentId: string) => ({
  taskId: task.id,
  documentId,
  task: { id: task.id, title: task.title, status: task.status },
})

export const fullDocument = (viewer: Viewer, document: Document) => ({
  ...documentWithPlaces(viewer, document),
  tasks: inOrder(
    [...viewer.rows.tasks.values()].filter(({ documentIds }) => documentIds.has(document.id)),
    ({ id }) => id,
  ).map((task) => linkOf(task, document.id)),
})

export const preferenceOf = ({ id: userId }: Viewer, preference: Preference) => ({
  ...preference,
  userId,
})

export const listedPreferences = (viewer: Viewer) =>
  inOrder(
    viewer.rows.preferences.values(),
    ({ priority }) => -priority,
    ({ id }) => id,
  ).map((preference) => preferenceOf(viewer, preference))

export function bareTask({ id: userId }: Viewer, task: Task) {
  const { labelIds: _labels, documentIds: _documents, archivedAt: _hidden, ...shown } = task
  return {
    ...shown,
    userId,
    dueAt: wire(task.dueAt),
    startAfter: wire(task.startAfter),
    completedAt: wire(task.completedAt),
  }
}

const labelsOf = ({ rows }: Viewer, { labelIds }: Task) =>
  inOrder(
    [...rows.labels.values()].filter(({ id }) => labelIds.has(id)),
    ({ name }) => name,
  ).map(({ id, name, color }) => ({ id, name, color }))

export const itemOf = (item: Item) => ({ ...item })

export const taskOf = (viewer: Viewer, task: Task) => ({
  ...bareTask(viewer, task),
  space: summaryOf(viewer.rows.spaces.get(task.spaceId ?? '')),
  project: placeOf(viewer.rows.projects.get(task.projectId ?? '')),
  labels: labelsOf(viewer, task),
  checklistItems: inOrder(
    [...viewer.rows.items.values()].filter(({ taskId }) => taskId === task.id),
    ({ sortOrder }) => sortOrder,
    ({ id }) => id,
  ).map(itemOf),
})

export const blockInEvents = ({ id: userId, rows }: Viewer, block: Block) => {
  const {
    cancelledAt: _at,
    madeByRun: _made,
    cancelledByRun: _by,
    reviewedAt: _on,
    ...shown
  } = block
  return {
    ...shown,
    title: titleOfBlock(rows, block),
    explanation: block.source === 'auto' ? block.explanation : null,
    userId,
    startAt: wire(block.startAt),
    endAt: wire(block.endAt),
    startedAt: wire(block.startedAt),
    completedAt: wire(block.completedAt),
  }
}

/** Without what has become of it. */
export const bareBlock = (viewer: Viewer, block: Block) => {
  const shown = blockInEvents(viewer, block)
  const { cancelReason: _why, startedAt: _from, completedAt: _until, ...rest } = shown
  return rest
}

/** Whether a request asks for what has become of a block. */
export const blockFor = (progress: boolean) => (progress ? blockInEvents : bareBlock)

const blocksInOrder = ({ rows }: Viewer, isWanted: (block: Block) => boolean) =>
  inOrder(
    [...rows.blocks.values()].filter(isWanted),
    ({ startAt }) => startAt,
    ({ id }) => id,
  )

export const blockWithTask = (viewer: Viewer, block: Block, progress = false) => {
  const task = viewer.rows.tasks.get(block.taskId ?? '')
  return {
    ...blockFor(progress)(viewer, block),
    task: task ? { id: task.id, title: task.title, priority: task.priority } : null,
  }
}

export const listedBlock = (viewer: Viewer, block: Block, progress = false) => {
  const task = viewer.rows.tasks.get(block.taskId ?? '')
  const shown = blockWithTask(viewer, block, progress)
  return { ...shown, task: task && shown.task ? { ...shown.task, status: task.status } : null }
}

export const listedBlocks = (viewer: Viewer, from: number, to: number, progress = false) =>
  blocksInOrder(
    viewer,
    ({ startAt, status }) => startAt >= from && startAt < to && status !== 'cancelled',
  ).map((block) => listedBlock(viewer, block, progress))

const listedTask = (viewer: Viewer, task: Task, progress: boolean) => ({
  ...taskOf(viewer, task),
  timeBlocks: blocksInOrder(
    viewer,
    ({ taskId, status }) => taskId === task.id && status !== 'cancelled',
  ).map((block) => blockFor(progress)(viewer, block)),
})

export const taskPage = (
  viewer: Viewer,
  isWanted: (task: Task) => boolean,
  page: number,
  limit: number,
  progress = false,
) => {
  const found = inOrder(
    [...viewer.rows.tasks.values()].filter(isWanted),
    ({ status }) => statuses.indexOf(status),
    ...byUrgency,
  )
  return {
    data: found
      .slice((page - 1) * limit, page * limit)
      .map((task) => listedTask(viewer, task, progress)),
    pagination: {
      page,
      limit,
      total: found.length,
      pages: Math.ceil(found.length / limit),
    },
  }
}

export const fullTask = (viewer: Viewer, task: Task, progress = false) => {
  const parent = viewer.rows.tasks.get(task.parentTaskId ?? '')
  return {
    ...taskOf(viewer, task),
    timeBlocks: blocksInOrder(viewer, ({ taskId }) => taskId === task.id).map((block) =>
      blockFor(progress)(viewer, block),
    ),
    subtasks: inOrder(
      [...viewer.rows.tasks.values()].filter(({ parentTaskId }) => parentTaskId === task.id),
      ({ sortOrder }) => sortOrder,
      ({ id }) => id,
    ).map((subtask) => bareTask(viewer, subtask)),
    parentTask: parent ? { id: parent.id, title: parent.title } : null,
    documents: documentsInOrder(viewer, ({ id }) => task.documentIds.has(id)).map(
      ({ id, title, docType, url }) => ({ id, title, docType, url }),
    ),
  }
}

export function dependenciesOf(viewer: Viewer, task: Task) {
  const { rows, id: userId } = viewer
  const entries = (mine: 'taskId' | 'dependsOnTaskId', other: 'taskId' | 'dependsOnTaskId') =>
    inOrder(
      [...rows.dependencies.values()].filter((link) => link[mine] === task.id),
      ({ id }) => id,
    ).map((link) => {
      const { id, title, status } = rows.tasks.get(link[other]) ?? {}
      return { ...link, userId, task: { id, title, status } }
    })
  return {
    blockedBy: entries('taskId', 'dependsOnTaskId'),
    blocks: entries('dependsOnTaskId', 'taskId'),
  }
}

export const listedNotifications = (viewer: Viewer) => {
  const { rows, id: userId } = viewer
  const show = ({ once: _hidden, ...notification }: Notification) => ({ ...notification, userId })
  return {
    notifications: newestFirst(rows.notifications).slice(0, 50).map(show),
    unreadCount: count(rows.notifications, ({ read }) => !read),
  }
}

export const webhookOf = ({ secret: _hidden, firstEvent: _first, ...webhook }: Webhook) => ({
  ...webhook,
  attempts: 0,
  nextAttemptAt: null,
})

export const listedWebhooks = ({ rows }: Viewer) =>
  inOrder(
    rows.webhooks.values(),
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).map(webhookOf)

/** A calendar that was never fetched, since no worker runs here. */
export const calendarOf = (calendar: Calendar) => ({
  ...calendar,
  accountId: null,
  eventCount: 0,
  completeUntil: null,
  skipped: [],
  skippedCount: 0,
  fetchedAt: null,
  changedAt: null,
  nextFetchAt: () => undefined,
  error: null,
})

export const recurrenceOf = ({ occurrences: _hidden, ...recurrence }: Recurrence) => recurrence

export const listedRecurrences = ({ rows }: Viewer) =>
  inOrder(
    rows.recurrences.values(),
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).map(recurrenceOf)

export const listedCalendars = ({ rows }: Viewer) =>
  inOrder(
    rows.calendars.values(),
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).map(calendarOf)

/** A plan calendar without events, since no worker runs here to write them. */
export const planCalendarOf = (calendar: PlanCalendar) => ({
  ...calendar,
  eventCount: 0,
  syncedAt: null,
  error: null,
})

export const listedPlanCalendars = ({ rows }: Viewer) =>
  inOrder(
    rows.planCalendars.values(),
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).map(planCalendarOf)

const newestFirst = <Row extends Notification | Key | Feed>(rows: Map<string, Row>) =>
  inOrder(
    rows.values(),
    ({ createdAt }) => createdAt.earliest,
    ({ id }) => id,
  ).toReversed()

export const listedKeys = ({ rows }: Viewer, used: (value: unknown) => string | undefined) =>
  newestFirst(rows.keys).map(({ text: _secret, ...key }) => ({
    ...key,
    expiresAt: wire(key.expiresAt),
    lastUsedAt: used,
  }))

/** The feeds, none of which was ever read. */
export const listedFeeds = ({ rows }: Viewer) =>
  newestFirst(rows.feeds).map((feed) => ({ ...feed, lastReadAt: null }))

export const listedRuns = ({ rows }: Viewer) => ({
  runs: inOrder(rows.runs.values(), ({ rank }) => -rank)
    .slice(0, 50)
    .map(({ shown, state }) => {
      const { blocks: _blocks, atRisk: _risk, unscheduled: _left, ...rest } = shown
      const { missed: _missed, needsEstimate: _unknown, ...brief } = rest
      return { ...brief, state }
    }),
})
