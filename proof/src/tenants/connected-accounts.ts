// What happens to connected accounts outside of requests.
import { createHostLimiter } from '../../../server/src/features/calendars/hosts.ts'
import { refreshCalendar } from '../../../server/src/features/calendars/refresh-calendar.ts'
import { readerHere } from '../../../server/test/reader-here.ts'
import { emptyReading, reading } from './reading.ts'
import {
  saveAccount,
  takeState,
} from '../../../server/src/features/connected-accounts/connected-accounts.queries.ts'
import { connectGoogle } from '../../../server/src/features/connected-accounts/providers.ts'
import type { Database } from '../../../server/src/platform/db/database.ts'
import { tokens } from './connected-account-rows.ts'
import { grace, id } from './ids.ts'
import { now } from './people.ts'
import { plainSeal } from './publish.ts'

/** Connects an account; an error is returned as text. */
export const connect = (db: Database, name: string) =>
  saveAccount(
    db,
    grace,
    { kind: 'google', email: `${name}@example.com`, sealedTokens: tokens('connected') },
    now,
  ).catch(String)

/** Uses an OAuth state, twice. */
export async function useState(db: Database) {
  const until = new Date(now.getTime() + 900_000)
  return [await takeState(db, grace, until), await takeState(db, grace, until)].join()
}

const google = connectGoogle(
  { id: 'id', secret: 'secret' },
  {
    authorizeUrl: 'https://example.com/authorize',
    tokenUrl: 'https://example.com/token',
    api: 'https://example.com/api',
  },
)

type Asked = { headers: object; body: string; beforeBody?: () => Promise<unknown> }

/** Reads the calendar of her account, whose tokens have expired and are renewed. Returns what was sent. */
export async function readOfAccount(db: Database) {
  const sent: string[] = []
  const refreshing = {
    db,
    seal: plainSeal,
    now: () => now,
    providers: { google },
    hosts: createHostLimiter(),
    random: () => 0.5,
    get: async () => ({ kind: 'failed' as const, error: 'not asked' }),
    ...reading(readerHere(() => emptyReading)),
    request: async (url: string, { headers, body, beforeBody }: Asked) => {
      sent.push(url, JSON.stringify(headers), body)
      await beforeBody?.()
      const answer = { access_token: 'new', expires_in: 3600, items: [], nextSyncToken: 'next' }
      return {
        kind: 'answered' as const,
        status: 200,
        content: { body: Buffer.from(JSON.stringify(answer)), encoding: null },
        location: null,
        etag: null,
      }
    },
  }
  await refreshCalendar(refreshing, grace, id(15, 4)).catch((error) => sent.push(String(error)))
  return sent.join('\n')
}
