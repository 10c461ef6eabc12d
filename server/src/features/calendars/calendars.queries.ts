import type { Calendar, CalendarChanges, CalendarEvent, NewCalendar } from '@daywright/contract'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  differsBy,
  iso,
  many,
  one,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import {
  bigint,
  boolean,
  integer,
  jsonByColumn,
  sql,
  text,
  timestamp,
  userId,
  uuid,
} from '../../platform/db/sql.ts'
import { deleteReturning, queryJson, queryJsonOrNone } from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'

const most = 25
const calendarNotFound = () => notFound('Calendar not found')

const calendar = {
  id: 'calendar.id',
  name: 'calendar.name',
  color: 'calendar.color',
  shown: 'calendar.shown',
  host: 'calendar.host',
  blocks: 'calendar.blocks',
  allDay: 'calendar.all_day',
  tentativeBlocks: 'calendar.tentative_blocks',
  paddingMinutes: 'calendar.padding_minutes',
  eventCount: 'calendar.event_count',
  completeUntil: iso('calendar.complete_until'),
  skipped: 'calendar.skipped',
  skippedCount: 'calendar.skipped_count',
  fetchedAt: iso('calendar.fetched_at'),
  changedAt: iso('calendar.changed_at'),
  nextFetchAt: iso('calendar.next_fetch_at'),
  error: 'calendar.error',
  createdAt: iso('calendar.created_at'),
  updatedAt: iso('calendar.updated_at'),
}

export const record = { fields: calendar, row: 'calendar' }

/** Whether the planner plans around an event, as SQL over the event and its calendar. */
export const eventBlocks = `
       calendar.blocks and (calendar.tentative_blocks or not event.tentative)
       and case when event.all_day and calendar.all_day <> 'marked' then calendar.all_day = 'always'
                else event.busy end`

const list = queryJson<Calendar[]>()(
  'calendars.list',
  sql`
  select ${many(
    calendar,
    sql`from calendars calendar
    where calendar.user_id = ${userId}
    order by calendar.created_at, calendar.id`,
  )}::text as json`,
)

const id = uuid('id')
const now = timestamp('now')

const find = queryJsonOrNone<Calendar>()(
  'calendars.find',
  sql`
  select ${one(calendar)}::text as json
    from calendars calendar
   where calendar.user_id = ${userId} and calendar.id = ${id}`,
)

const insert = queryJsonOrNone<Calendar>()(
  'calendars.insert',
  sql`
  with calendar as (
    insert into calendars (user_id, id, name, color, shown, sealed_url, host, blocks, all_day, tentative_blocks,
                           padding_minutes, next_fetch_at)
    select ${userId}, ${id}, ${text('name')}, ${text('color')}, ${boolean('shown')}, ${text('sealedUrl')}, ${text('host')},
           ${boolean('blocks')}, ${text('allDay')}, ${boolean('tentativeBlocks')}, ${integer('paddingMinutes')},
           ${now}
     where (select count(*) from calendars where user_id = ${userId}) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'calendar.created', after: 'calendar' }], { look: true })}
  select ${one(calendar)}::text as json from calendar`,
)

const changes = jsonByColumn('changes')

// At a new address nothing is known of the file, and it is fetched at once.
const update = queryJsonOrNone<Calendar>()(
  'calendars.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from calendars old
     where user_id = ${userId} and id = ${id}
       for no key update
  ), calendar as (
    update calendars calendar
       set (name, color, shown, sealed_url, host, blocks, all_day, tentative_blocks, padding_minutes) =
           (select name, color, shown, sealed_url, host, blocks, all_day, tentative_blocks, padding_minutes
              from jsonb_populate_record(calendar, ${changes}::jsonb)),
           etag = case when not ${changes}::jsonb ? 'sealed_url' then calendar.etag end,
           last_modified = case when not ${changes}::jsonb ? 'sealed_url' then calendar.last_modified end,
           file_hash = case when not ${changes}::jsonb ? 'sealed_url' then calendar.file_hash end,
           error = case when not ${changes}::jsonb ? 'sealed_url' then calendar.error end,
           failures = case when ${changes}::jsonb ? 'sealed_url' then 0 else calendar.failures end,
           next_fetch_at = case when ${changes}::jsonb ? 'sealed_url' then ${now}
                                else calendar.next_fetch_at end,
           ${setUpdatedAt('calendar')}
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id and old.differs
    returning calendar.*, old.differs
  ), ${appendEvents([{ ...record, type: 'calendar.updated', before: 'old', after: 'calendar' }], {
    plan: true,
    look: true,
  })}
  select ${one(calendar)}::text as json from ${writtenOrOld('calendar')}`,
)

// At most every 30 s. The user is due at once, so that the worker fetches it.
const request = queryJsonOrNone<Calendar>()(
  'calendars.request-fetch',
  sql`
  with calendar as (
    update calendars calendar
       set next_fetch_at = case when fetched_at > ${now}::timestamptz - interval '30 seconds'
                                then next_fetch_at else least(next_fetch_at, ${now}) end
     where user_id = ${userId} and id = ${id}
    returning *
  ), due as (
    update agendas set due_at = least(due_at, ${now})
     where user_id = ${userId} and exists (select from calendar)
  )
  select ${one(calendar)}::text as json from calendar`,
)

const remove = deleteReturning(
  'calendars.delete',
  sql`
  with gone as (
    delete from calendars where user_id = ${userId} and id = ${id} returning *
  ), ${appendEvents([{ ...record, type: 'calendar.deleted', before: 'gone' }], { plan: true })}
  select id from gone`,
)

const listEvents = queryJson<CalendarEvent[]>()(
  'calendars.list-events',
  sql`
  select ${many(
    {
      id: 'event.id',
      calendarId: 'event.calendar_id',
      title: 'event.title',
      location: 'event.location',
      startAt: iso('event.start_at'),
      endAt: iso('event.end_at'),
      allDay: 'event.all_day',
      tentative: 'event.tentative',
      blocks: eventBlocks,
    },
    sql`from calendar_events event
    join calendars calendar on calendar.user_id = ${userId} and calendar.id = event.calendar_id
    where event.user_id = ${userId} and event.end_at > ${timestamp('from')} and event.start_at < ${timestamp('to')}
    order by event.start_at, event.end_at, event.id
    limit 5000`,
  )}::text as json`,
)

export const listCalendars = (db: Db, userId: string) => list(db, { userId })

export const listCalendarEvents = (db: Db, userId: string, range: { from: Date; to: Date }) =>
  listEvents(db, { userId, ...range })

export async function findCalendar(db: Db, userId: string, id: string) {
  const found = await find(db, { userId, id })
  if (!found) throw calendarNotFound()
  return found
}

/** `webcal:` stands for `https:`. */
export const fetchedUrl = (url: string) => url.replace(/^webcals?:/i, 'https:')

async function sealUrl(url: string, seal: Cipher) {
  const fetched = fetchedUrl(url)
  return { sealedUrl: await seal.close(fetched), host: new URL(fetched).hostname }
}

/** Serialized per user, so that the count holds. */
export async function createCalendar(
  db: Db,
  userId: string,
  given: NewCalendar,
  seal: Cipher,
  now: Date,
) {
  const { url, ...settings } = given
  const { sealedUrl, host } = await sealUrl(url, seal)
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const made = await insert(transaction, {
      userId,
      id: newId(),
      name: host.slice(0, 200),
      color: '#8A8680',
      shown: true,
      blocks: true,
      allDay: 'marked',
      tentativeBlocks: true,
      paddingMinutes: 0,
      ...settings,
      sealedUrl,
      host,
      most,
      now,
    })
    if (!made) throw conflict(`At most ${most} calendars; delete one first`)
    return made
  })
}

export async function updateCalendar(
  db: Db,
  userId: string,
  id: string,
  { url, ...settings }: CalendarChanges,
  seal: Cipher,
  now: Date,
) {
  const address = url === undefined ? {} : await sealUrl(url, seal)
  const updated = await update(db, { userId, id, changes: { ...settings, ...address }, now })
  if (!updated) throw calendarNotFound()
  return updated
}

export async function requestFetch(db: Db, userId: string, id: string, now: Date) {
  const found = await request(db, { userId, id, now })
  if (!found) throw calendarNotFound()
  return found
}

export async function deleteCalendar(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw calendarNotFound()
}
