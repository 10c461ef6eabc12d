// Calendars at CalDAV servers that are kept up to date with the plan.
import type { NewPlanCalendar, PlanCalendar, PlanCalendarChanges } from '@daywright/contract'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { differsBy, many, one, setUpdatedAt, writtenOrOld } from '../../platform/db/fragments.ts'
import {
  bigint,
  boolean,
  jsonByColumn,
  sql,
  text,
  timestamp,
  userId,
  uuid,
} from '../../platform/db/sql.ts'
import {
  deleteReturning,
  execute,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { fetchedUrl } from '../calendars/calendars.queries.ts'
import { openAddress, sealAddress } from '../calendars/fetch-calendar.ts'
import { planCalendar, record } from './plan-calendar-json.ts'

const most = 5
const planCalendarNotFound = () => notFound('Plan calendar not found')

const id = uuid('id')
const now = timestamp('now')

const list = queryJson<PlanCalendar[]>()(
  'plan-calendars.list',
  sql`
  select ${many(
    planCalendar,
    sql`from plan_calendars calendar
    where calendar.user_id = ${userId}
    order by calendar.created_at, calendar.id`,
  )}::text as json`,
)

const insert = queryJsonOrNone<PlanCalendar>()(
  'plan-calendars.insert',
  sql`
  with calendar as (
    insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way, creates)
    select ${userId}, ${id}, ${text('name')}, ${text('sealedUrl')}, ${text('host')}, ${text('username')},
           ${text('detail')}, ${boolean('twoWay')}, ${boolean('create')}
     where (select count(*) from plan_calendars where user_id = ${userId}) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'planCalendar.created', after: 'calendar' }])}
  select ${one(planCalendar)}::text as json from calendar`,
)

const changes = jsonByColumn('changes')

// The calendar becomes due at once, since its events may have to be written again.
const update = queryJsonOrNone<PlanCalendar>()(
  'plan-calendars.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from plan_calendars old
     where user_id = ${userId} and id = ${id}
       for no key update
  ), calendar as (
    update plan_calendars calendar
       set (name, sealed_url, detail, two_way, removing) =
           (select name, sealed_url, detail, two_way, removing
              from jsonb_populate_record(calendar, ${changes}::jsonb)),
           error = case when not ${changes}::jsonb ? 'sealed_url' then calendar.error end,
           failures = 0, next_sync_at = ${now}, ${setUpdatedAt('calendar')}
      from old
     where calendar.user_id = ${userId} and calendar.id = old.id and old.differs
    returning calendar.*, old.differs
  ), ${appendEvents([
    { ...record, type: 'planCalendar.updated', before: 'old', after: 'calendar' },
  ])}
  select ${one(planCalendar)}::text as json from ${writtenOrOld('calendar')}`,
)

const remove = deleteReturning(
  'plan-calendars.delete',
  sql`
  with gone as (
    delete from plan_calendars where user_id = ${userId} and id = ${id} returning *
  ), ${appendEvents([{ ...record, type: 'planCalendar.deleted', before: 'gone' }])}
  select id from gone`,
)

const findAddress = queryRows<{ sealed_url: string; username: string }>()(
  'plan-calendars.find-address',
  sql`select sealed_url, username from plan_calendars where user_id = ${userId} and id = ${id}`,
)

// Notes whether this user's writes must wake the worker, in the row that every write locks.
const note = execute(
  'plan-calendars.note',
  sql`
  update user_state
     set publishes = exists (select from plan_calendars where user_id = ${userId}),
         due_at = least(due_at, current_timestamp)
   where user_id = ${userId}`,
)

/** Makes the user due, so that the worker looks at the plan calendars now. */
export const notePlanCalendars = (db: Db, userId: string) => note(db, { userId })

export const listPlanCalendars = (db: Db, userId: string) => list(db, { userId })

/** Creates a plan calendar; serialized per user, so that the limit cannot be exceeded. */
export async function createPlanCalendar(
  db: Db,
  userId: string,
  { url: given, password, ...settings }: NewPlanCalendar,
  seal: Cipher,
) {
  const url = folderOf(fetchedUrl(given))
  const { username } = settings
  const sealedUrl = await sealAddress(seal, { url, credentials: { username, password } })
  const host = new URL(url).hostname
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const made = await insert(transaction, {
      userId,
      id: newId(),
      name: host.slice(0, 200),
      detail: 'full',
      twoWay: false,
      create: false,
      ...settings,
      sealedUrl,
      host,
      most,
    })
    if (!made) throw conflict(`At most ${most} plan calendars; delete one first`)
    await notePlanCalendars(transaction, userId)
    return made
  })
}

/** The URL with a trailing slash: the calendar is the folder of its events. */
const folderOf = (url: string) => {
  const parsed = new URL(url)
  if (!parsed.pathname.endsWith('/')) parsed.pathname += '/'
  return parsed.href
}

export async function updatePlanCalendar(
  db: Db,
  userId: string,
  id: string,
  { password, ...settings }: PlanCalendarChanges & { removing?: boolean },
  seal: Cipher,
  now: Date,
) {
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const sealedUrl = password && (await sealAgain(transaction, userId, id, password, seal))
    const changes = { ...settings, ...(sealedUrl && { sealedUrl }) }
    const updated = await update(transaction, { userId, id, changes, now })
    if (!updated) throw planCalendarNotFound()
    await notePlanCalendars(transaction, userId)
    return updated
  })
}

async function sealAgain(db: Db, userId: string, id: string, password: string, seal: Cipher) {
  const [found] = await findAddress(db, { userId, id })
  if (!found) throw planCalendarNotFound()
  const address = await openAddress(seal, found)
  if (!address) {
    throw invalid({ password: ['Delete this calendar: this instance has another secret'] })
  }
  const { username } = found
  return sealAddress(seal, { url: address.url, credentials: { username, password } })
}

/** Deletes a plan calendar. With `isRemoving` the worker first deletes its events on the server. */
export async function deletePlanCalendar(
  db: Db,
  userId: string,
  id: string,
  { isRemoving, seal, now }: { isRemoving: boolean; seal: Cipher; now: Date },
) {
  if (isRemoving) return updatePlanCalendar(db, userId, id, { removing: true }, seal, now)
  return db.transaction(async (transaction) => {
    if (!(await remove(transaction, { userId, id }))) throw planCalendarNotFound()
    await notePlanCalendars(transaction, userId)
  })
}
