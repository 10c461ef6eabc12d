import { isTimezone, type Profile } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { differsBy, object, setUpdatedAt, writtenOrOld } from '../../platform/db/fragments.ts'
import { jsonByColumn, sql, userId } from '../../platform/db/sql.ts'
import { queryJsonOrNone, queryRows } from '../../platform/db/statement.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { spellTimezone } from './spell-timezone.ts'
import { profile, userRecord } from './user-json.ts'

const userNotFound = () => notFound('User not found')
export const nothingToUpdate = () => badRequest('No valid fields to update')

const find = queryJsonOrNone<Profile>()(
  'user.find',
  sql`select ${object(profile)}::text as json from users person where id = ${userId}`,
)

const changes = jsonByColumn('changes')
const update = queryJsonOrNone<Profile>()(
  'user.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)} from users old where id = ${userId} for no key update
  ), person as (
    update users person
       set (display_name, timezone) =
           (select display_name, timezone from jsonb_populate_record(person, ${changes})),
           ${setUpdatedAt('person')}
      from old
     where person.id = ${userId} and old.differs
    returning person.*, old.differs
  ), ${appendEvents(
    [{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }],
    { plan: true, look: true }, // the timezone may have changed
  )}
  select ${object(profile)}::text as json from ${writtenOrOld('person')}`,
)

const zone = queryRows<{ timezone: string }>()(
  'user.timezone',
  sql`select timezone from users where id = ${userId}`,
)

/** The user's time zone; the contract's default if the stored one is invalid. */
export async function findTimezone(db: Db, userId: string) {
  const [person] = await zone(db, { userId })
  return knownTimezone(person?.timezone)
}

/** The time zone, or the contract's default if it is not a known one. */
export const knownTimezone = (timezone: string | undefined) =>
  isTimezone(timezone) ? timezone : 'Australia/Sydney'

export async function findProfile(db: Db, userId: string) {
  const found = await find(db, { userId })
  if (!found) throw userNotFound()
  return found
}

export async function updateProfile(
  db: Db,
  userId: string,
  changes: { displayName?: string; timezone?: unknown },
) {
  if (changes.timezone !== undefined && !isTimezone(changes.timezone)) {
    throw badRequest('timezone must be an IANA zone, e.g. Australia/Sydney')
  }
  if (Object.keys(changes).length === 0) throw nothingToUpdate()
  const timezone = isTimezone(changes.timezone) && spellTimezone(changes.timezone)
  const updated = await update(db, {
    userId,
    changes: { ...changes, ...(timezone && { timezone }) },
  })
  if (!updated) throw userNotFound()
  return updated
}
