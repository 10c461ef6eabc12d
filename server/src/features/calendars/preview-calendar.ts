import type { CalendarPreview } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { sql, userId } from '../../platform/db/sql.ts'
import { assertRow, queryRows } from '../../platform/db/statement.ts'
import { unavailable, unprocessable } from '../../platform/errors.ts'
import type { Get, Request } from '../../platform/outbound/http-get.ts'
import { knownTimezone } from '../user/user.queries.ts'
import { fetchedUrl } from './calendars.queries.ts'
import type { ReadFile } from './read-in-thread.ts'
import { accept, mostFileBytes } from './fetch-calendar.ts'
import { readingOptions, refusals } from './refresh-calendar.ts'

export type Previewing = { get: Get; request: Request; readFile: ReadFile; now: () => Date }

const findUser = queryRows<{ timezone: string; email: string }>()(
  'calendars.find-user',
  sql`select timezone, email from users where id = ${userId}`,
)

const shown = 5

export async function previewCalendar(
  { get, readFile, now }: Previewing,
  db: Db,
  userId: string,
  url: string,
): Promise<CalendarPreview> {
  const { timezone, email } = assertRow('calendars.find-user', (await findUser(db, { userId }))[0])
  const user = { timezone: knownTimezone(timezone), email }
  const fetched = await get(fetchedUrl(url), { accept, mostBytes: mostFileBytes })
  if (fetched.kind !== 'body') {
    throw unprocessable(fetched.kind === 'failed' ? fetched.error : 'The server sent no file')
  }
  const time = now()
  const reading = await readFile(fetched.body, readingOptions(user, time))
  if ('refused' in reading) {
    if (reading.refused === 'busy') throw unavailable('Busy reading other calendars', 5)
    throw unprocessable(refusals[reading.refused])
  }
  const { name, zone, occurrences, skipped, skippedCount } = reading
  return {
    name,
    timezone: zone,
    eventCount: occurrences.length,
    next: occurrences
      .filter(({ endAt }) => Date.parse(endAt) > time.getTime())
      .slice(0, shown)
      .map(({ title, startAt, endAt, isAllDay }) => ({
        title,
        startAt: new Date(startAt),
        endAt: new Date(endAt),
        allDay: isAllDay,
      })),
    skipped: skipped.map(({ title, reason }) => ({ title, reason })),
    skippedCount,
  }
}
