import type { Recurrence, RecurringTask } from '@daywright/contract'
import type { Kind, Missed, Series } from '@daywright/recurrence'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  differsBy,
  many,
  object,
  one,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import { bigint, jsonByColumn, sql, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import {
  deleteReturning,
  execute,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { recurrence, recurrenceRecord } from './recurrence-json.ts'

export const recurrenceNotFound = () => notFound('Recurrence not found')

const id = uuid('id')
const now = timestamp('now')
const isThere = sql`recurrence.user_id = ${userId} and recurrence.deleted_at is null`

const list = queryJson<Recurrence[]>()(
  'recurrences.list',
  sql`
  select ${many(
    recurrence,
    sql`from recurrences recurrence
    where ${isThere}
    order by recurrence.created_at, recurrence.id`,
  )}::text as json`,
)

const find = queryJsonOrNone<Recurrence>()(
  'recurrences.find',
  sql`
  select ${one(recurrence)}::text as json
    from recurrences recurrence
   where ${isThere} and recurrence.id = ${id}`,
)

/** A series as it is stored, with the progress of the worker. */
export type StoredSeries = Series & {
  id: string
  preferredTime: string | null
  task: RecurringTask
  checklist: string[]
  follows: string | null
  pausedAt: Date | null
  settledTo: string
  count: number
  zone: string
}

type Row = Omit<StoredSeries, 'kind' | 'missed'> & { kind: Kind; missed: Missed }

const stored = sql`
         recurrence.id, recurrence.kind, recurrence.rule, recurrence.times,
         recurrence.starts_on::text as "startsOn", recurrence.ends_on::text as "endsOn", recurrence.most,
         to_char(recurrence.start_time, 'HH24:MI') as "startTime",
         to_char(recurrence.due_time, 'HH24:MI') as "dueTime", recurrence.lead_days as "leadDays",
         recurrence.missed, to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
         recurrence.task, recurrence.checklist, recurrence.follows,
         recurrence.paused_at as "pausedAt", recurrence.settled_to::text as "settledTo",
         recurrence.occurrence_count as count, recurrence.zone`

const live = queryRows<Row>()(
  'recurrences.list-series',
  sql`
  select ${stored}
    from recurrences recurrence
   where ${isThere}
   order by recurrence.created_at, recurrence.id`,
)

const single = queryRows<Row>()(
  'recurrences.find-series',
  sql`
  select ${stored}
    from recurrences recurrence
   where ${isThere} and recurrence.id = ${id}`,
)

// The limit cannot be exceeded, because the caller holds the user's lock.
const insert = queryJsonOrNone<Recurrence>()(
  'recurrences.insert',
  sql`
  with recurrence as (
    insert into recurrences (user_id, id, kind, rule, times, starts_on, ends_on, most, start_time, due_time,
                             lead_days, missed, preferred_time, once_a_day, task, checklist, words, follows,
                             settled_to, zone)
    select ${userId}, ${id}, kind, rule, times, starts_on, ends_on, most, start_time, due_time, lead_days,
           missed, preferred_time, once_a_day, task, checklist, words, follows, settled_to, zone
      from jsonb_populate_record(null::recurrences, ${jsonByColumn('given')}::jsonb)
     where (select count(*) from recurrences where user_id = ${userId} and deleted_at is null) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...recurrenceRecord, type: 'recurrence.created', after: 'recurrence' }], {
    look: true,
  })}
  select ${object(recurrence)}::text as json from recurrence`,
)

const changes = jsonByColumn('changes')

const update = queryJsonOrNone<Recurrence>()(
  'recurrences.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from recurrences old
     where user_id = ${userId} and id = ${id} and deleted_at is null
       for no key update
  ), recurrence as (
    update recurrences recurrence
       set (rule, times, starts_on, ends_on, most, start_time, due_time, lead_days, missed, preferred_time,
            once_a_day, task, checklist, words, paused_at) =
           (select rule, times, starts_on, ends_on, most, start_time, due_time, lead_days, missed,
                   preferred_time, once_a_day, task, checklist, words, paused_at
              from jsonb_populate_record(recurrence, ${changes}::jsonb)),
           ${setUpdatedAt('recurrence')}
      from old
     where recurrence.user_id = ${userId} and recurrence.id = old.id and old.differs
    returning recurrence.*, old.differs
  ), ${appendEvents(
    [{ ...recurrenceRecord, type: 'recurrence.updated', before: 'old', after: 'recurrence' }],
    // A plan depends on the preferred time, and on what happens to missed occurrences.
    { look: true, plan: true },
  )}
  select ${object(recurrence)}::text as json from ${writtenOrOld('recurrence')}`,
)

const remove = deleteReturning(
  'recurrences.delete',
  sql`
  with gone as (
    update recurrences set deleted_at = ${now}
     where user_id = ${userId} and id = ${id} and deleted_at is null
    returning *
  ), ${appendEvents([{ ...recurrenceRecord, type: 'recurrence.deleted', before: 'gone' }])}
  select id from gone`,
)

const restore = deleteReturning(
  'recurrences.restore',
  sql`
  with recurrence as (
    update recurrences set deleted_at = null
     where user_id = ${userId} and id = ${id} and deleted_at is not null
       and (select count(*) from recurrences where user_id = ${userId} and deleted_at is null) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...recurrenceRecord, type: 'recurrence.created', after: 'recurrence' }], {
    look: true,
  })}
  select id from recurrence`,
)

// Purges deleted recurrences, except those that a revert can still restore.
const trim = execute(
  'recurrences.trim-deleted',
  sql`delete from recurrences where user_id = ${userId} and deleted_at < ${timestamp('before')}`,
)

export const listRecurrences = (db: Db, userId: string) => list(db, { userId })

export async function findRecurrence(db: Db, userId: string, id: string) {
  const found = await find(db, { userId, id })
  if (!found) throw recurrenceNotFound()
  return found
}

export const listSeries = (db: Db, userId: string): Promise<StoredSeries[]> => live(db, { userId })

export async function findSeries(db: Db, userId: string, id: string): Promise<StoredSeries> {
  const [found] = await single(db, { userId, id })
  if (!found) throw recurrenceNotFound()
  return found
}

export const insertRecurrence = (db: Db, userId: string, id: string, given: object, most: number) =>
  insert(db, { userId, id, given, most })

export async function writeChanges(db: Db, userId: string, id: string, changes: object) {
  const written = await update(db, { userId, id, changes })
  if (!written) throw recurrenceNotFound()
  return written
}

export const markDeleted = (db: Db, userId: string, id: string, now: Date) =>
  remove(db, { userId, id, now })

export const markRestored = (db: Db, userId: string, id: string, most: number) =>
  restore(db, { userId, id, most })

export const trimDeletedRecurrences = (db: Db, userId: string, before: Date) =>
  trim(db, { userId, before })
