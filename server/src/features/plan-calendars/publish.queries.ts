import type { FeedDetail } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  bigint,
  integer,
  json,
  raw,
  sql,
  text,
  timestamp,
  userId,
  uuid,
  uuids,
} from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { type PlanBlock, planBlocks, planWindow } from '../feeds/plan-blocks.ts'
import { knownTimezone } from '../user/user.queries.ts'
import { record } from './plan-calendar-json.ts'

const id = uuid('id')
const now = timestamp('now')

/** A calendar is due this long after the first change: by then the planner has usually replanned. */
const delay = `interval '10 seconds'`

/** When a calendar is due, as SQL over the rows `calendar` and `user_state`; null if it is not. */
const dueAt = sql`
  (select greatest(due.at, calendar.leased_until)
     from (select least(calendar.next_sync_at,
                        case when calendar.published_event < user_state.last_event and calendar.failures = 0
                             then coalesce((select event.at
                                              from events event
                                             where event.user_id = ${userId}
                                               and event.seq > calendar.published_event
                                             order by event.seq, event.part
                                             limit 1), ${now}) + ${raw(delay)} end) as at) due
    where due.at is not null)`

/** The earliest time at which a plan calendar is due, as SQL over the row `user_state`. */
export const nextPublication = sql`
  case when user_state.publishes then
    (select min(${dueAt}) from plan_calendars calendar where calendar.user_id = ${userId}) end`

const lease = queryRows<{ id: string }>()(
  'plan-calendars.lease-due',
  sql`
  update plan_calendars calendar set leased_until = ${timestamp('until')}
    from user_state
   where calendar.user_id = ${userId} and user_state.user_id = ${userId} and ${dueAt} <= ${now}
  returning calendar.id`,
)

/** Leases the due calendars: one whose job does not finish is due again at `until`. */
export async function leaseDuePlanCalendars(db: Db, userId: string, now: Date, until: Date) {
  return (await lease(db, { userId, now, until })).map(({ id }) => id)
}

export type Target = {
  sealed_url: string
  name: string
  /** Whether the calendar has to be created on the server. */
  creates: boolean
  username: string
  host: string
  detail: FeedDetail
  two_way: boolean
  removing: boolean
  sync_token: string | null
  sync_tag: string | null
  next_sync_at: Date | null
  failures: number
  last_event: number
  timezone: string
}

const find = queryRows<Target>()(
  'plan-calendars.find-target',
  sql`
  select calendar.sealed_url, calendar.name, calendar.creates, calendar.username, calendar.host, calendar.detail, calendar.two_way, calendar.removing,
         calendar.sync_token, calendar.sync_tag, calendar.next_sync_at, calendar.failures, user_state.last_event,
         person.timezone
    from plan_calendars calendar
    join user_state on user_state.user_id = ${userId}
    join users person on person.id = ${userId}
   where calendar.user_id = ${userId} and calendar.id = ${id} and person.disabled_at is null`,
)

export async function findTarget(db: Db, userId: string, id: string) {
  const [found] = await find(db, { userId, id })
  return found && { ...found, timezone: knownTimezone(found.timezone) }
}

const read = queryRows<{ blocks: PlanBlock[] }>()(
  'plan-calendars.read-plan',
  sql`select ${planBlocks} as blocks`,
)

/** The blocks that a plan calendar shows. */
export async function readPlan(db: Db, userId: string, now: Date) {
  const [found] = await read(db, { userId, ...planWindow(now) })
  return found?.blocks ?? []
}

export type PublishedBlock = {
  thread: string
  /** Null if unknown. Empty if the event was deleted on the server or became a series there: it is left alone. */
  etag: string | null
  /** Whether another program has changed the event: what it has added is kept. */
  isEdited: boolean
  /** The fingerprint of what we wrote. */
  fingerprint: string
  startAt: string
  endAt: string
}

const listRows = queryRows<PublishedBlock>()(
  'plan-calendars.list-published',
  sql`
  select thread, etag, is_edited as "isEdited", encode(fingerprint, 'hex') as fingerprint,
         iso(start_at) as "startAt", iso(end_at) as "endAt"
    from published_blocks
   where user_id = ${userId} and plan_calendar_id = ${id}`,
)

export const listPublished = (db: Db, userId: string, id: string) => listRows(db, { userId, id })

const isTarget = sql`user_id = ${userId} and id = ${id} and sealed_url = ${text('sealedUrl')}`

const lock = queryRows<object>()(
  'plan-calendars.lock',
  sql`select id from plan_calendars where ${isTarget} for no key update`,
)

const write = execute(
  'plan-calendars.write-published',
  sql`
  insert into published_blocks (user_id, plan_calendar_id, thread, etag, is_edited, fingerprint, start_at, end_at)
  select ${userId}, ${id}, given.thread, given.etag, given."isEdited", decode(given.fingerprint, 'hex'),
         given."startAt", given."endAt"
    from jsonb_to_recordset(${json('written')}) as given (
           thread uuid, etag text, "isEdited" boolean, fingerprint text, "startAt" timestamptz, "endAt" timestamptz)
  on conflict (user_id, plan_calendar_id, thread) do update
     set etag = excluded.etag, is_edited = excluded.is_edited, fingerprint = excluded.fingerprint,
         start_at = excluded.start_at, end_at = excluded.end_at`,
)

const forget = execute(
  'plan-calendars.delete-published',
  sql`
  delete from published_blocks
   where user_id = ${userId} and plan_calendar_id = ${id} and thread = any(${uuids('gone')}::uuid[])`,
)

// Appends an event only if this ends a failure: each event makes the calendar due again.
const mark = execute(
  'plan-calendars.mark-published',
  sql`
  with old as (
    select * from plan_calendars where user_id = ${userId} and id = ${id} for no key update
  ), calendar as (
    update plan_calendars calendar
       set published_event = ${bigint('publishedEvent')}, sync_token = ${text.orNull('token')},
           sync_tag = ${text.orNull('tag')}, next_sync_at = ${timestamp.orNull('nextAt')}, leased_until = null,
           failures = 0, error = null, synced_at = ${now}, event_count = ${integer('eventCount')}, creates = false
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), told as (
    select calendar.* from calendar, old where old.error is not null
  ), ${appendEvents([{ ...record, type: 'planCalendar.published', before: 'old', after: 'told' }])}
  select from told`,
)

const failed = execute(
  'plan-calendars.mark-failed',
  sql`
  with old as (
    select * from plan_calendars where ${isTarget} for no key update
  ), calendar as (
    update plan_calendars calendar
       set next_sync_at = ${timestamp.orNull('nextAt')}, leased_until = null, failures = old.failures + 1,
           error = ${text('error')}
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id
    returning calendar.*
  ), told as (
    select calendar.* from calendar, old where calendar.error is distinct from old.error
  ), ${appendEvents([{ ...record, type: 'planCalendar.published', before: 'old', after: 'told' }])}
  select from told`,
)

const postpone = execute(
  'plan-calendars.postpone',
  sql`update plan_calendars set leased_until = ${timestamp('until')} where ${isTarget}`,
)

/** What a job works on. If the password has changed meanwhile, the result of the job is not stored. */
export type TargetKey = { userId: string; id: string; sealedUrl: string }

export type PublishedRows = { written: PublishedBlock[]; gone: string[] }
export type PublicationFacts = {
  token: string | null
  tag: string | null
  publishedEvent: number
  nextAt: Date | null
  eventCount: number
}

/** Stores the result of a job, without `facts` if it failed on the way. False if the password has changed meanwhile. */
export const storePublication = (
  db: Db,
  key: TargetKey,
  { written, gone }: PublishedRows,
  facts: PublicationFacts | undefined,
  now: Date,
) =>
  db.transaction(async (transaction) => {
    if ((await lock(transaction, key)).length === 0) return false
    const { userId, id } = key
    if (written.length > 0) await write(transaction, { userId, id, written })
    if (gone.length > 0) await forget(transaction, { userId, id, gone })
    if (facts) await mark(transaction, { userId, id, now, ...facts })
    return true
  })

export const markFailed = (
  db: Db,
  key: TargetKey,
  failure: { error: string; nextAt: Date | null },
) => failed(db, { ...key, ...failure })

export const postponePublication = (db: Db, key: TargetKey, until: Date) =>
  postpone(db, { ...key, until })
