import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  bytes,
  date,
  integer,
  json,
  jsonText,
  sql,
  text,
  timestamp,
  userId,
  uuid,
  uuids,
} from '../../platform/db/sql.ts'
import { execute, queryJson, queryRows } from '../../platform/db/statement.ts'
import { isKeyGone } from '../api-keys/created-by.ts'
import type { StoredAccount } from '../connected-accounts/connected-accounts.queries.ts'
import { knownTimezone } from '../user/user.queries.ts'
import { record } from './calendar-json.ts'

const id = uuid('id')
const now = timestamp('now')

/** What a job works on. If the address has changed meanwhile, the result belongs to the old one and is not written. */
export type Target = { userId: string; id: string; sealedUrl: string }

const isTarget = sql`user_id = ${userId} and id = ${id} and sealed_url = ${text('sealedUrl')}`

/** A calendar that has not failed is due within an hour; otherwise the clock was set back. */
const isAhead = sql`failures = 0 and next_fetch_at > ${now}::timestamptz + interval '1 hour'`

/** When the next calendar of the user is due. */
export const nextFetch = sql`
  (select min(case when ${isAhead} then ${now} else next_fetch_at end)
     from calendars where user_id = ${userId})`

// Leases the due calendars: one whose job does not finish is due again at `until`.
const lease = queryRows<{ id: string }>()(
  'calendars.lease-due',
  sql`
  update calendars set next_fetch_at = ${timestamp('until')}
   where user_id = ${userId} and (next_fetch_at <= ${now} or ${isAhead})
  returning id`,
)

export async function leaseDueCalendars(db: Db, userId: string, now: Date, until: Date) {
  return (await lease(db, { userId, now, until })).map(({ id }) => id)
}

export type Subscription = {
  sealed_url: string
  /** Null unless the calendar is at a CalDAV server. */
  username: string | null
  /** Null unless the calendar belongs to a connected account. */
  account: StoredAccount | null
  sync_token: string | null
  sync_tag: string | null
  host: string
  etag: string | null
  last_modified: string | null
  file_hash: Buffer | null
  read_on: string | null
  read_in_zone: string | null
  event_count: number
  failures: number
  crashes: number
  /** The process and the attempt that have begun to read it, and not come to an end. */
  read_by: string | null
  empty_since: Date | null
  timezone: string
  email: string
  /** The number of events in the user's other calendars. */
  others: number
  /** The API key that has added it was revoked or has expired. */
  is_key_gone: boolean
}

const find = queryRows<Subscription>()(
  'calendars.find-subscription',
  sql`
  select calendar.sealed_url, calendar.username,
         (select json_build_object('id', account.id, 'kind', account.kind, 'sealedTokens', account.sealed_tokens)
            from connected_accounts account
           where account.user_id = ${userId} and account.id = calendar.account_id) as account,
         calendar.sync_token, calendar.sync_tag, calendar.host, calendar.etag, calendar.last_modified, calendar.file_hash,
         calendar.read_on::text, calendar.read_in_zone, calendar.event_count, calendar.failures,
         calendar.crashes, calendar.read_by, calendar.empty_since, person.timezone, person.email,
         (select coalesce(sum(other.event_count), 0)::int from calendars other
           where other.user_id = ${userId} and other.id <> ${id}) as others,
         ${isKeyGone('calendar')} as is_key_gone
    from calendars calendar
    join users person on person.id = ${userId}
   where calendar.user_id = ${userId} and calendar.id = ${id} and person.disabled_at is null
     and person.jobs_stopped_at is null`,
)

export async function findSubscription(db: Db, userId: string, id: string, now: Date) {
  const [found] = await find(db, { userId, id, now })
  return found && { ...found, timezone: knownTimezone(found.timezone) }
}

const begin = execute(
  'calendars.begin-reading',
  sql`update calendars set read_by = ${text('readBy')} where ${isTarget}`,
)

/** Records that this process reads the calendar: if it dies, the calendar is not read again at once. */
export const beginReading = (db: Db, target: Target & { readBy: string }) => begin(db, target)

const until = timestamp('until')

const wait = execute(
  'calendars.postpone',
  sql`
  with calendar as (
    update calendars set next_fetch_at = ${until}, read_by = null where ${isTarget}
  )
  update user_state set due_at = least(due_at, ${until}) where user_id = ${userId}`,
)

export const postponeFetch = (db: Db, target: Target, until: Date) => wait(db, { ...target, until })

// Appends an event only if this ends a failure: most requests find nothing new.
const unchanged = execute(
  'calendars.mark-unchanged',
  sql`
  with old as (
    select * from calendars where ${isTarget} for no key update
  ), calendar as (
    update calendars calendar
       set fetched_at = ${now}, attempted_at = ${now}, next_fetch_at = ${timestamp('nextAt')}, failures = 0, crashes = 0,
           error = null, empty_since = null, read_by = null
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), told as (
    select calendar.* from calendar, old where old.error is not null
  ), ${appendEvents([{ ...record, type: 'calendar.refreshed', before: 'old', after: 'told' }])}
  select from told`,
)

export const markUnchanged = (db: Db, target: Target, now: Date, nextAt: Date) =>
  unchanged(db, { ...target, now, nextAt })

// Appends an event only if the error is a new one, so that a lasting failure is recorded once.
const failed = execute(
  'calendars.mark-failed',
  sql`
  with old as (
    select * from calendars where ${isTarget} for no key update
  ), calendar as (
    update calendars calendar
       set next_fetch_at = ${timestamp.orNull('nextAt')}, failures = old.failures + 1, error = ${text('error')},
           crashes = coalesce(${integer.orNull('crashes')}, old.crashes), read_by = null, attempted_at = ${now},
           empty_since = coalesce(old.empty_since, ${timestamp.orNull('emptySince')})
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), told as (
    select calendar.* from calendar, old where calendar.error is distinct from old.error
  ), ${appendEvents([{ ...record, type: 'calendar.refreshed', before: 'old', after: 'told' }])}
  select from told`,
)

export type Failure = {
  error: string
  nextAt: Date | null
  now: Date
  emptySince?: Date
  /** How often in a row a reading has ended the service or a reader; as before by default. */
  crashes?: number
}

export const markFailed = (db: Db, target: Target, failure: Failure) =>
  failed(db, { ...target, emptySince: undefined, crashes: undefined, ...failure })

export type StoredEvent = {
  id: string
  startAt: string
  endAt: string
  allDay: boolean
  busy: boolean
  tentative: boolean
  title: string
  location: string | null
}

const lock = queryRows<object>()(
  'calendars.lock',
  sql`
  select id from calendars
   where ${isTarget} and read_by = ${text('readBy')}
     for no key update`,
)

const stored = queryJson<StoredEvent[]>()(
  'calendars.list-stored-events',
  sql`
  select coalesce(json_agg(json_build_object(
           'id', id, 'startAt', iso(start_at), 'endAt', iso(end_at), 'allDay', all_day, 'busy', busy,
           'tentative', tentative, 'title', title, 'location', location)), '[]')::text as json
    from calendar_events
   where user_id = ${userId} and calendar_id = ${id}`,
)

/** Locks the calendar; false if its address has changed, or another reading has begun since. */
export const lockCalendar = async (db: Db, target: Target & { readBy: string }) =>
  (await lock(db, target)).length > 0

/** The stored events as JSON. */
export const listStoredEvents = (db: Db, userId: string, id: string) => stored(db, { userId, id })

const applyReading = (name: string, isPlanAffected: boolean) =>
  execute(
    name,
    sql`
  with old as (
    select * from calendars where user_id = ${userId} and id = ${id} for no key update
  ), gone as (
    delete from calendar_events where user_id = ${userId} and id = any(${uuids('gone')}::uuid[])
  ), written as (
    insert into calendar_events (user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title,
                                 location)
    select ${userId}, given.id, ${id}, given."startAt", given."endAt", given."allDay", given.busy,
           given.tentative, given.title, given.location
      from jsonb_to_recordset(${jsonText('written')}) as given (
             id uuid, "startAt" timestamptz, "endAt" timestamptz, "allDay" boolean, busy boolean,
             tentative boolean, title text, location text)
    on conflict (user_id, id) do update
       set start_at = excluded.start_at, end_at = excluded.end_at, all_day = excluded.all_day,
           busy = excluded.busy, tentative = excluded.tentative, title = excluded.title,
           location = excluded.location
  ), calendar as (
    update calendars calendar
       set fetched_at = ${now}, changed_at = ${now}, attempted_at = ${now},
           next_fetch_at = ${timestamp('nextAt')}, failures = 0,
           crashes = 0, read_by = null, error = null, empty_since = null, etag = ${text.orNull('etag')},
           last_modified = ${text.orNull('lastModified')}, file_hash = ${bytes('fileHash')},
           read_on = ${date('readOn')}, read_in_zone = ${text('zone')},
           complete_until = ${timestamp('completeUntil')}, event_count = ${integer('eventCount')},
           skipped = ${json('skipped')}, skipped_count = ${integer('skippedCount')}
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), ${appendEvents([{ ...record, type: 'calendar.refreshed', before: 'old', after: 'calendar' }], {
    plan: isPlanAffected,
  })}
  select from calendar`,
  )

const applyWithoutPlan = applyReading('calendars.apply-reading', false)
const applyWithPlan = applyReading('calendars.apply-reading-and-plan', true)

export type AppliedReading = Parameters<typeof applyWithPlan>[1]

/** Writes the differences of a reading. `isPlanAffected` means that the user must be replanned. */
export const applyDifferences = (db: Db, isPlanAffected: boolean, reading: AppliedReading) =>
  (isPlanAffected ? applyWithPlan : applyWithoutPlan)(db, reading)

// Records a reading that found no difference.
const read = execute(
  'calendars.mark-read',
  sql`
  update calendars
     set etag = ${text.orNull('etag')}, last_modified = ${text.orNull('lastModified')},
         file_hash = ${bytes('fileHash')}, read_on = ${date('readOn')}, read_in_zone = ${text('zone')},
         complete_until = ${timestamp('completeUntil')}
   where user_id = ${userId} and id = ${id}`,
)

export type ReadingFacts = Parameters<typeof read>[1]
export const markRead = (db: Db, facts: ReadingFacts) => read(db, facts)
