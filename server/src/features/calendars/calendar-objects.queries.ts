// The stored files of calendars at CalDAV servers and of connected accounts.
import type { Changes } from '@daywright/caldav'
import type { Db } from '../../platform/db/database.ts'
import { json, sql, text, texts, userId, uuid } from '../../platform/db/sql.ts'
import { execute, queryJson, queryRows } from '../../platform/db/statement.ts'

const id = uuid('id')

const list = queryRows<{ path: string; etag: string }>()(
  'calendar-objects.list',
  sql`select path, etag from calendar_objects where user_id = ${userId} and calendar_id = ${id}`,
)

const listBodies = queryJson<{ path: string; body: string }[]>()(
  'calendar-objects.list-bodies',
  sql`
  select coalesce(json_agg(json_build_object('path', path, 'body', body)), '[]')::text as json
    from calendar_objects
   where user_id = ${userId} and calendar_id = ${id} and body <> ''`,
)

const remove = execute(
  'calendar-objects.delete',
  sql`
  delete from calendar_objects
   where user_id = ${userId} and calendar_id = ${id}
     and path = any(${texts('removed')}::text[])`,
)

const write = execute(
  'calendar-objects.write',
  sql`
  insert into calendar_objects (user_id, calendar_id, path, etag, body)
  select ${userId}, ${id}, given.path, given.etag, given.body
    from jsonb_to_recordset(${json('written')}) as given (path text, etag text, body text)
  on conflict (user_id, calendar_id, path) do update set etag = excluded.etag, body = excluded.body`,
)

const removeAll = execute(
  'calendar-objects.delete-all',
  sql`delete from calendar_objects where user_id = ${userId} and calendar_id = ${id}`,
)

const mark = execute(
  'calendar-objects.mark-state',
  sql`
  update calendars
     set sync_token = ${text.orNull('token')}, sync_tag = ${text.orNull('tag')}
   where user_id = ${userId} and id = ${id}`,
)

export const listObjects = (db: Db, userId: string, id: string) => list(db, { userId, id })

/** The stored files as JSON, without those of past events. */
export const listFiles = (db: Db, userId: string, id: string) => listBodies(db, { userId, id })

export async function writeObjects(db: Db, userId: string, id: string, changes: Changes) {
  const { written, removed, token, tag } = changes
  if (removed.length > 0) await remove(db, { userId, id, removed })
  if (written.length > 0) await write(db, { userId, id, written })
  await mark(db, { userId, id, token, tag })
}

/** Deletes the files of a calendar whose address has changed. */
export const deleteObjects = (db: Db, userId: string, id: string) => removeAll(db, { userId, id })
