import type { MarkedRead, Notifications } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, object, one } from '../../platform/db/fragments.ts'
import { json, sql, text, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import { assertRow, queryJson, queryRows } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { stillToCome } from '../planner/planner.queries.ts'

const notification = {
  id: 'notification.id',
  userId: 'notification.user_id',
  type: 'notification.type',
  title: 'notification.title',
  body: 'notification.body',
  read: 'notification.read',
  metadata: 'notification.metadata',
  createdAt: iso('notification.created_at'),
}

const record = { fields: notification, row: 'notification' }
const updated = { ...record, type: 'notification.updated', before: 'was', after: 'marked' }

const now = timestamp('now')

const unread = sql`(select count(*) from notifications where user_id = ${userId} and not read)`

const list = queryJson<Notifications>()(
  'notifications.list',
  sql`
  select ${one({
    notifications: many(
      notification,
      sql`from notifications notification
      where notification.user_id = ${userId}
      order by notification.created_at desc, notification.id desc
      limit 50`,
    ),
    unreadCount: unread,
  })}::text as json`,
)

const count = queryRows<{ count: number }>()('notifications.unread', sql`select ${unread} as count`)

const readAll = queryJson<MarkedRead>()(
  'notifications.read-all',
  sql`
  with old as (
    select old as was, id from notifications old
     where user_id = ${userId} and not read order by id for no key update
  ), marked as (
    update notifications notification
       set read = true
      from old
     where notification.user_id = ${userId} and notification.id = old.id
    returning notification.*, old.was
  ), ${appendEvents([updated])}
  select ${object({ markedRead: '(select count(*) from marked)' })}::text as json`,
)

const read = queryRows<{ id: string }>()(
  'notifications.read',
  sql`
  with old as (
    select old as was, id, read
      from notifications old where user_id = ${userId} and id = ${uuid('id')} for no key update
  ), marked as (
    update notifications notification
       set read = true
      from old
     where notification.user_id = ${userId} and notification.id = old.id and not old.read
    returning notification.*, old.was
  ), ${appendEvents([updated])}
  select id from old`,
)

const insert = queryRows<{ id: string }>()(
  'notifications.insert',
  sql`
  with notification as (
    insert into notifications (user_id, id, type, title, body, metadata, once, created_at)
    values (${userId}, ${uuid('id')}, ${text('type')}, ${text('title')}, ${text('body')},
            ${json('metadata')}, ${text.orNull('once')}, ${now})
    on conflict (user_id, type, once) do nothing
    returning *
  ), ${appendEvents([{ ...record, type: 'notification.created', after: 'notification' }])}
  select id from notification`,
)

export type AtRiskTask = { id: string; title: string; due_at: Date }

// Open tasks that are due within a day and have no planned work.
const atRisk = queryRows<AtRiskTask>()(
  'notifications.at-risk-tasks',
  sql`
  select task.id, task.title, task.due_at
    from tasks task
   where task.user_id = ${userId} and task.status < 'completed'
     and task.due_at between ${now}::timestamptz and ${now}::timestamptz + interval '24 hours'
     and not exists (select from time_blocks block
                      where block.user_id = ${userId} and block.task_id = task.id
                        and block.status in ('scheduled', 'in_progress')
                        and ${stillToCome('block', now)})
   order by task.due_at, task.id`,
)

const covered = queryRows<{ task_id: string }>()(
  'notifications.covered-tasks',
  sql`
  select distinct jsonb_array_elements_text(metadata -> 'taskIds') as task_id
    from notifications
   where user_id = ${userId} and type = 'at_risk_deadline'
     and created_at > ${now}::timestamptz - interval '6 hours'`,
)

export type Note = {
  type: 'morning_summary' | 'at_risk_deadline'
  title: string
  body: string
  metadata: object
  /** If set, only the first notification with this value is written. */
  once?: string
}

export const listNotifications = (db: Db, userId: string) => list(db, { userId })

export async function countUnread(db: Db, userId: string) {
  const [row] = await count(db, { userId })
  return assertRow('notifications.unread', row).count
}

/** Marks all as read, but not while another request writes a notification and counts the unread ones. */
export const markAllRead = (db: Db, userId: string) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    return readAll(transaction, { userId })
  })

export async function markRead(db: Db, userId: string, id: string) {
  const [found] = await read(db, { userId, id })
  if (!found) throw notFound('Notification not found')
}

export const findAtRiskTasks = (db: Db, userId: string, now: Date) => atRisk(db, { userId, now })

/** The tasks that an alert named in the last six hours. */
export async function findCoveredTaskIds(db: Db, userId: string, now: Date) {
  const rows = await covered(db, { userId, now })
  return new Set(rows.map((row) => row.task_id))
}

export const writeNote = (db: Db, userId: string, note: Note, now: Date) =>
  insert(db, {
    userId,
    id: newId(),
    type: note.type,
    title: note.title,
    body: note.body,
    metadata: note.metadata,
    once: note.once,
    now,
  })
