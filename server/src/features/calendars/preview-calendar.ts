import type { CalendarPreview } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { sql, userId } from '../../platform/db/sql.ts'
import { assertRow, queryRows } from '../../platform/db/statement.ts'
import { unavailable, unprocessable } from '../../platform/errors.ts'
import type { Get, Request } from '../../platform/outbound/http-get.ts'
import type { ShareMemory } from '../../platform/outbound/share-memory.ts'
import { knownTimezone } from '../user/user.queries.ts'
import { fetchedUrl } from './calendars.queries.ts'
import type { LimitSlow } from '../../platform/outbound/limit-slow.ts'
import type { Reader } from './reader.ts'
import type { PreviewResult } from './reader-tasks.ts'
import { accept } from './fetch-calendar.ts'
import { findOwnThreads } from './own-threads.queries.ts'
import { readingOptions } from './refresh-calendar.ts'
import { refusals } from './refusals.ts'

/** Lower than for a subscription, since a user waits. */
const mostBytes = 10_000_000

export type Previewing = {
  get: Get
  request: Request
  reader: Reader
  limitSlow: LimitSlow
  memory: ShareMemory
  now: () => Date
}

const findUser = queryRows<{ timezone: string; email: string }>()(
  'calendars.find-user',
  sql`select timezone, email from users where id = ${userId}`,
)

const shown = 5

export async function previewCalendar(
  { get, reader, limitSlow, memory, now }: Previewing,
  db: Db,
  userId: string,
  url: string,
): Promise<CalendarPreview> {
  const { timezone, email } = assertRow('calendars.find-user', (await findUser(db, { userId }))[0])
  const user = { timezone: knownTimezone(timezone), email }
  const time = now()
  const holding = memory.open(userId)
  try {
    const fetched = await limitSlow((slow) => {
      const signal = AbortSignal.any([slow, holding.signal])
      return get(fetchedUrl(url), { accept, mostBytes, holding, signal })
    })
    if (holding.signal.aborted) throw unavailable(busy, 5)
    if (fetched.kind !== 'body') {
      throw unprocessable(fetched.kind === 'failed' ? fetched.error : 'The server sent no file')
    }
    const options = readingOptions(user, time)
    const request = { mostBytes, options, now: time, shown }
    const owner = { userId, name: 'preview' }
    const findOwn = (threads: string[]) => findOwnThreads(db, userId, threads, time)
    const reading = await reader.preview(owner, fetched.content, request, findOwn)
    if (!('refused' in reading)) return describe(reading)
    if (reading.refused === 'busy') throw unavailable(busy, 5)
    throw unprocessable(
      reading.refused === 'too-large' ? tooLargeToPreview : refusals[reading.refused],
    )
  } finally {
    holding.release()
  }
}

const busy = 'Busy reading other calendars'
const tooLargeToPreview = 'The file is larger than 10 MB, so it cannot be previewed'

const describe = ({
  name,
  zone,
  eventCount,
  occurrences,
  skipped,
  skippedCount,
}: PreviewResult): CalendarPreview => ({
  name,
  timezone: zone,
  eventCount,
  next: occurrences.map(({ title, startAt, endAt, isAllDay }) => ({
    title,
    startAt: new Date(startAt),
    endAt: new Date(endAt),
    allDay: isAllDay,
  })),
  skipped: skipped.map(({ title, reason }) => ({ title, reason })),
  skippedCount,
})
