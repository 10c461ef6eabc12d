import type { MarkedRead, Notifications } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { answering, iso, many, never, object, one, selecting } from '../db/statement.ts'
import { notFound } from '../errors.ts'
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

const unread = '(select count(*) from notifications where user_id = $1 and not read)'

const list = answering<Notifications>(
  'notifications.list',
  `
  select ${one({
    notifications: many(
      notification,
      `from notifications notification
      where notification.user_id = $1
      order by notification.created_at desc, notification.id desc
      limit 50`,
    ),
    unreadCount: unread,
  })}::text as json`,
)

const count = selecting<{ count: number }>('notifications.unread', `select ${unread} as count`)

const readAll = answering<MarkedRead>(
  'notifications.read-all',
  `
  with old as (
    select old as was, id from notifications old
     where user_id = $1 and not read order by id for no key update
  ), marked as (
    update notifications notification
       set read = true
      from old
     where notification.user_id = $1 and notification.id = old.id
    returning notification.*, old.was
  ), ${recording([updated])}
  select ${object({ markedRead: '(select count(*) from marked)' })}::text as json`,
)

const read = selecting<{ id: string }>(
  'notifications.read',
  `
  with old as (
    select old as was, id, read
      from notifications old where user_id = $1 and id = $2 for no key update
  ), marked as (
    update notifications notification
       set read = true
      from old
     where notification.user_id = $1 and notification.id = old.id and not old.read
    returning notification.*, old.was
  ), ${recording([updated])}
  select id from old`,
)

const insert = selecting<{ id: string }>(
  'notifications.insert',
  `
  with notification as (
    insert into notifications (user_id, id, type, title, body, metadata, once, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (user_id, type, once) do nothing
    returning *
  ), ${recording([{ ...record, type: 'notification.created', after: 'notification' }])}
  select id from notification`,
)

export type AtRiskTask = { id: string; title: string; due_at: Date }

// Open, due within a day, and without planned work.
const atRisk = selecting<AtRiskTask>(
  'notifications.at-risk-tasks',
  `
  select task.id, task.title, task.due_at
    from tasks task
   where task.user_id = $1 and task.status < 'completed'
     and task.due_at between $2::timestamptz and $2::timestamptz + interval '24 hours'
     and not exists (select from time_blocks block
                      where block.user_id = $1 and block.task_id = task.id
                        and block.status in ('scheduled', 'in_progress')
                        and ${stillToCome('block', '$2')})
   order by task.due_at, task.id`,
)

const covered = selecting<{ task_id: string }>(
  'notifications.covered-tasks',
  `
  select distinct jsonb_array_elements_text(metadata -> 'taskIds') as task_id
    from notifications
   where user_id = $1 and type = 'at_risk_deadline'
     and created_at > $2::timestamptz - interval '6 hours'`,
)

export type Note = {
  type: 'morning_summary' | 'at_risk_deadline'
  title: string
  body: string
  metadata: object
  /** Of notifications with the same value, only the first is written. */
  once?: string
}

export const listNotifications = (db: Db, userId: string) => list(db, userId)

export async function countUnread(db: Db, userId: string) {
  const [row] = await count(db, userId)
  return row?.count ?? never('notifications.unread')
}

/** Not while another request writes one and counts the unread. */
export const markAllRead = (db: Db, userId: string) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    return readAll(transaction, userId)
  })

export async function markRead(db: Db, userId: string, id: string) {
  const [found] = await read(db, userId, id)
  if (!found) throw notFound('Notification not found')
}

export const findAtRiskTasks = (db: Db, userId: string, now: Date) =>
  atRisk(db, userId, now.toISOString())

/** The tasks that an alert named in the last six hours. */
export async function findCoveredTaskIds(db: Db, userId: string, now: Date) {
  const rows = await covered(db, userId, now.toISOString())
  return new Set(rows.map((row) => row.task_id))
}

export const writeNote = (db: Db, userId: string, note: Note, now: Date) =>
  insert(
    db,
    userId,
    newId(),
    note.type,
    note.title,
    note.body,
    JSON.stringify(note.metadata),
    note.once,
    now.toISOString(),
  )
