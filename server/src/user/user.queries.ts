import { isTimezone, type Profile } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { asItIs, columns, differs, finding, object, selecting, touchedOf } from '../db/statement.ts'
import { badRequest, notFound } from '../errors.ts'
import { spellTimezone } from './spell-timezone.ts'
import { profile, userRecord } from './user-json.ts'

const userNotFound = () => notFound('User not found')
export const nothingToUpdate = () => badRequest('No valid fields to update')

const find = finding<Profile>(
  'user.find',
  `select ${object(profile)}::text as json from users person where id = $1`,
)

const update = finding<Profile>(
  'user.update',
  `
  with old as (
    select old.*, ${differs('$2')} from users old where id = $1 for no key update
  ), person as (
    update users person
       set (display_name, timezone) =
           (select display_name, timezone from jsonb_populate_record(person, $2)),
           ${touchedOf('person')}
      from old
     where person.id = $1 and old.differs
    returning person.*, old.differs
  ), ${recording(
    [{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }],
    { plan: true, look: true }, // the timezone may have changed
  )}
  select ${object(profile)}::text as json from ${asItIs('person')}`,
)

const zone = selecting<{ timezone: string }>(
  'user.timezone',
  'select timezone from users where id = $1',
)

/** The user's time zone; the contract's default if the stored one is invalid. */
export async function findTimezone(db: Db, userId: string) {
  const [person] = await zone(db, userId)
  return isTimezone(person?.timezone) ? person.timezone : 'Australia/Sydney'
}

export async function findProfile(db: Db, userId: string) {
  const found = await find(db, userId)
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
  const updated = await update(db, userId, columns({ ...changes, ...(timezone && { timezone }) }))
  if (!updated) throw userNotFound()
  return updated
}
