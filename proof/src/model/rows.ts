// The model's rows in the format of the database, table by table.
import { brief, type Time } from './compare.ts'
import { inOrder } from './model.ts'
import { hashOf } from './show.ts'
import type { Person } from './world.ts'

/** Each table with its sort order. */
export const tables = {
  users: 'id',
  spaces: 'id',
  labels: 'id',
  projects: 'id',
  schedule_preferences: 'id',
  documents: 'id',
  tasks: 'id',
  task_labels: 'task_id, label_id',
  task_documents: 'task_id, document_id',
  checklist_items: 'id',
  task_dependencies: 'id',
  time_blocks: 'id',
  notifications: 'id',
  planner_runs: 'id',
  api_keys: 'id',
  feeds: 'id',
  idempotency_keys: 'key',
}

const anything = () => undefined
const secret = /dw[kf]_[\w-]{22}_[\w-]{43}|whsec_/
const byId = <Row extends { id: string }>(rows: Map<string, Row>) =>
  inOrder(rows.values(), ({ id }) => id)

/** A known time becomes a range, which also matches the format of PostgreSQL. */
const at = (time: Time) => (typeof time === 'number' ? { earliest: time, latest: time } : time)

/** Every row of a user, in the format of the database. */
export function rowsOf(me: Person): Record<keyof typeof tables, unknown[]> {
  const { rows } = me
  const dated = ({ createdAt, updatedAt }: { createdAt: object; updatedAt: object }) => ({
    created_at: createdAt,
    updated_at: updatedAt,
  })
  const mine = { user_id: me.id }
  const tasks = byId(rows.tasks)
  return {
    users: [
      {
        id: me.id,
        email: me.email,
        display_name: me.displayName,
        timezone: me.timezone,
        role: me.isAdmin ? 'admin' : 'user',
        disabled_at: (value: unknown) =>
          (value !== null) === me.isDisabled ? undefined : 'disabled or not',
        jobs_stopped_at: (value: unknown) =>
          (value !== null) === me.areJobsStopped ? undefined : 'stopped or not',
        created_at: anything,
        updated_at: anything,
      },
    ],
    spaces: byId(rows.spaces).map((space) => ({
      ...mine,
      id: space.id,
      name: space.name,
      color: space.color,
      icon: space.icon,
      is_default: space.isDefault,
      sort_order: space.sortOrder,
      schedule_preference_id: space.schedulePreferenceId,
      ...dated(space),
    })),
    labels: byId(rows.labels).map((label) => ({
      ...mine,
      id: label.id,
      name: label.name,
      color: label.color,
      ...dated(label),
    })),
    projects: byId(rows.projects).map((project) => ({
      ...mine,
      id: project.id,
      space_id: project.spaceId,
      name: project.name,
      description: project.description,
      color: project.color,
      icon: project.icon,
      status: project.status,
      priority: project.priority,
      target_date: at(project.targetDate),
      archived: project.archived,
      auto_schedule: project.autoSchedule,
      sort_order: project.sortOrder,
      schedule_preference_id: project.schedulePreferenceId,
      ...dated(project),
    })),
    schedule_preferences: byId(rows.preferences).map((preference) => ({
      ...mine,
      id: preference.id,
      name: preference.name,
      windows: preference.windows,
      priority: preference.priority,
      ...dated(preference),
    })),
    documents: byId(rows.documents).map((document) => ({
      ...mine,
      id: document.id,
      space_id: document.spaceId,
      project_id: document.projectId,
      title: document.title,
      content: document.content,
      content_hash: `\\x${hashOf(document.content)}`,
      url: document.url,
      doc_type: document.docType,
      sort_order: document.sortOrder,
      ...dated(document),
    })),
    tasks: tasks.map((task) => ({
      ...mine,
      id: task.id,
      space_id: task.spaceId,
      project_id: task.projectId,
      parent_task_id: task.parentTaskId,
      schedule_preference_id: task.schedulePreferenceId,
      due_at: at(task.dueAt),
      start_after: at(task.startAfter),
      completed_at: at(task.completedAt),
      archived_at: at(task.archivedAt),
      sort_order: task.sortOrder,
      status: task.status,
      priority: task.priority,
      estimate_minutes: task.estimateMinutes,
      actual_minutes: task.actualMinutes,
      min_session_minutes: task.minSessionMinutes,
      max_session_minutes: task.maxSessionMinutes,
      cooldown_minutes: task.cooldownMinutes,
      auto_schedule: task.autoSchedule,
      auto_split: task.autoSplit,
      locked: task.locked,
      title: task.title,
      description: task.description,
      ...dated(task),
    })),
    task_labels: tasks.flatMap(({ id, labelIds }) =>
      [...labelIds].toSorted().map((label) => ({ ...mine, task_id: id, label_id: label })),
    ),
    task_documents: tasks.flatMap(({ id, documentIds }) =>
      [...documentIds].toSorted().map((document) => ({
        ...mine,
        task_id: id,
        document_id: document,
      })),
    ),
    checklist_items: byId(rows.items).map((item) => ({
      ...mine,
      id: item.id,
      task_id: item.taskId,
      title: item.title,
      completed: item.completed,
      sort_order: item.sortOrder,
    })),
    task_dependencies: byId(rows.dependencies).map((link) => ({
      ...mine,
      id: link.id,
      task_id: link.taskId,
      depends_on_task_id: link.dependsOnTaskId,
      created_at: link.createdAt,
    })),
    time_blocks: byId(rows.blocks).map((block) => ({
      ...mine,
      id: block.id,
      task_id: block.taskId,
      start_at: at(block.startAt),
      end_at: at(block.endAt),
      cancelled_at: at(block.cancelledAt),
      started_at: at(block.startedAt),
      completed_at: at(block.completedAt),
      cancel_reason: block.cancelReason,
      reviewed_at: at(block.reviewedAt),
      sort_order: block.sortOrder,
      status: block.status,
      locked: block.locked,
      defended: block.defended,
      type: block.type,
      source: block.source,
      title: block.title,
      explanation: block.explanation,
      made_by_run: block.madeByRun,
      cancelled_by_run: block.cancelledByRun,
      thread: anything,
      ...dated(block),
    })),
    notifications: byId(rows.notifications).map((notification) => ({
      ...mine,
      id: notification.id,
      type: notification.type,
      title: notification.title,
      body: notification.body,
      read: notification.read,
      metadata: notification.metadata,
      once: notification.once,
      created_at: notification.createdAt,
    })),
    planner_runs: runsOf(me),
    api_keys: byId(rows.keys).map((key) => ({
      ...mine,
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      hash: anything,
      scopes: key.scopes,
      expires_at: at(key.expiresAt),
      last_used_at: anything,
      created_at: key.createdAt,
    })),
    feeds: byId(rows.feeds).map((feed) => ({
      ...mine,
      id: feed.id,
      name: feed.name,
      detail: feed.detail,
      hash: anything,
      last_read_at: null,
      created_at: feed.createdAt,
    })),
    idempotency_keys: inOrder(me.answered.entries(), ([key]) => key).map(([key, answered]) => ({
      ...mine,
      key,
      fingerprint: anything,
      status: answered.status,
      body: (body: unknown) => {
        if (!secret.test(answered.text)) {
          return body === answered.text ? undefined : `should be ${brief(answered.text)}`
        }
        return secret.test(String(body)) ? 'should not show the secret' : undefined
      },
      planner_run_id: anything,
      created_at: anything,
    })),
  }
}

/** The newest hundred runs, since only those are kept. */
function runsOf({ rows }: Person) {
  const newest = [...rows.runs.values()].toSorted((one, two) => two.rank - one.rank)
  return inOrder(newest.slice(0, 100), ({ id }) => id).map((run) => ({
    id: run.id,
    state: run.state,
    plan: anything,
  }))
}
