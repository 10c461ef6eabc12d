import type { Calendar, CalendarChanges, CalendarEvent, NewCalendar } from '@daywright/contract'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import { onForeignKey } from '../../platform/db/database-errors.ts'
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
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { creator, isKeyGone } from '../api-keys/created-by.ts'
import { calendar, record } from './calendar-json.ts'
import { deleteObjects } from './calendar-objects.queries.ts'
import { openAddress, sealAddress } from './fetch-calendar.ts'
import { findSubscription } from './refresh.queries.ts'

const most = 25
const calendarNotFound = () => notFound('Calendar not found')

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
    insert into calendars (user_id, id, name, color, shown, sealed_url, host, username, account_id, provider, blocks,
                           all_day, tentative_blocks, padding_minutes, next_fetch_at, created_by)
    select ${userId}, ${id}, ${text('name')}, ${text('color')}, ${boolean('shown')}, ${text('sealedUrl')}, ${text('host')},
           ${text.orNull('username')}, ${uuid.orNull('accountId')},
           (select kind from connected_accounts where user_id = ${userId} and id = ${uuid.orNull('accountId')}), ${boolean('blocks')}, ${text('allDay')}, ${boolean('tentativeBlocks')}, ${integer('paddingMinutes')},
           ${now}, ${creator}
     where (select count(*) from calendars where user_id = ${userId}) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'calendar.created', after: 'calendar' }], { look: true })}
  select ${one(calendar)}::text as json from calendar`,
)

const changes = jsonByColumn('changes')

// A new address clears what is known of the old file, and makes the calendar due at once.
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
       set (name, color, shown, sealed_url, host, username, account_id, provider, blocks, all_day, tentative_blocks,
            padding_minutes) =
           (select name, color, shown, sealed_url, host, username, account_id, provider, blocks, all_day, tentative_blocks,
                   padding_minutes
              from jsonb_populate_record(calendar, ${changes}::jsonb)),
           sync_token = case when not ${changes}::jsonb ? 'sealed_url' then calendar.sync_token end,
           sync_tag = case when not ${changes}::jsonb ? 'sealed_url' then calendar.sync_tag end,
           etag = case when not ${changes}::jsonb ? 'sealed_url' then calendar.etag end,
           last_modified = case when not ${changes}::jsonb ? 'sealed_url' then calendar.last_modified end,
           file_hash = case when not ${changes}::jsonb ? 'sealed_url' then calendar.file_hash end,
           error = case when not ${changes}::jsonb ? 'sealed_url' then calendar.error end,
           failures = case when ${changes}::jsonb ? 'sealed_url' then 0 else calendar.failures end,
           crashes = case when ${changes}::jsonb ? 'sealed_url' then 0 else calendar.crashes end,
           created_by = case when ${changes}::jsonb ? 'sealed_url' then ${creator}
                             else calendar.created_by end,
           read_by = case when not ${changes}::jsonb ? 'sealed_url' then calendar.read_by end,
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

// Has an effect at most every 30 s, and every 15 min if the last attempts have failed: a user who has mended the server
// need not wait for a day, and a failing calendar is not read more often than others. A calendar in quarantine waits. One
// whose key has ended is the caller's from now on. The user becomes due at once, so that the worker fetches the calendar.
const request = queryJsonOrNone<Calendar>()(
  'calendars.request-fetch',
  sql`
  with old as (
    select calendar.id, calendar.next_fetch_at is null and ${isKeyGone('calendar')} as is_taken_over
      from calendars calendar
     where calendar.user_id = ${userId} and calendar.id = ${id}
       for no key update
  ), calendar as (
    update calendars calendar
       set created_by = case when old.is_taken_over then ${creator} else calendar.created_by end,
           next_fetch_at = case
             when crashes > 0
               or not old.is_taken_over and attempted_at between ${now}::timestamptz
                  - case when failures = 0 then interval '30 seconds' else interval '15 minutes' end and ${now}
             then next_fetch_at else least(next_fetch_at, ${now}) end
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), due as (
    update user_state set due_at = least(due_at, ${now})
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

/** The URL to fetch: `webcal:` stands for `https:`. */
export const fetchedUrl = (url: string) => url.replace(/^webcals?:/i, 'https:')

type Given = { username?: string; password?: string }

const credentialsOf = ({ username, password }: Given) =>
  username === undefined || password === undefined ? undefined : { username, password }

async function sealUrl(url: string, given: Given, seal: Cipher) {
  const fetched = fetchedUrl(url)
  const credentials = credentialsOf(given)
  return {
    sealedUrl: await sealAddress(seal, { url: fetched, credentials }),
    host: new URL(fetched).hostname,
    username: credentials?.username ?? null,
    accountId: null,
    provider: null,
  }
}

/** Creates a calendar; serialized per user, so that the limit cannot be exceeded. */
export async function createCalendar(
  db: Db,
  userId: string,
  given: NewCalendar,
  seal: Cipher,
  now: Date,
) {
  const { url, username: _name, password: _password, accountId, ...settings } = given
  const address = await sealUrl(url, given, seal)
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const made = await insert(transaction, {
      userId,
      id: newId(),
      name: address.host.slice(0, 200),
      color: '#8A8680',
      shown: true,
      blocks: true,
      allDay: 'marked',
      tentativeBlocks: true,
      paddingMinutes: 0,
      ...settings,
      ...address,
      accountId,
      most,
      now,
    }).catch(onForeignKey(() => invalid({ accountId: ['There is no such account'] })))
    if (!made) throw conflict(`At most ${most} calendars; delete one first`)
    return made
  })
}

/** Reads the stored URL of a calendar that gets another password. */
async function readUrl(db: Db, userId: string, id: string, seal: Cipher, now: Date) {
  const found = await findSubscription(db, userId, id, now)
  if (!found) throw calendarNotFound()
  if (found.account) throw invalid({ username: ['The calendar belongs to a connected account'] })
  const address = await openAddress(seal, found)
  if (!address)
    throw invalid({ url: ['Enter the address again: this instance has another secret'] })
  return address.url
}

export async function updateCalendar(
  db: Db,
  userId: string,
  id: string,
  { url, username, password, ...settings }: CalendarChanges,
  seal: Cipher,
  now: Date,
) {
  const given = { username, password }
  const isMoved = url !== undefined || username !== undefined
  return db.transaction(async (transaction) => {
    // Serializes changes of the address, since a change of the password alone reads the stored one.
    if (isMoved) await lockUser(transaction, userId)
    const address = isMoved
      ? await sealUrl(url ?? (await readUrl(transaction, userId, id, seal, now)), given, seal)
      : {}
    const changes = { ...settings, ...address }
    const updated = await update(transaction, { userId, id, changes, now })
    if (!updated) throw calendarNotFound()
    if (isMoved) await deleteObjects(transaction, userId, id)
    return updated
  })
}

export async function requestFetch(db: Db, userId: string, id: string, now: Date) {
  const found = await request(db, { userId, id, now })
  if (!found) throw calendarNotFound()
  return found
}

export async function deleteCalendar(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw calendarNotFound()
}
