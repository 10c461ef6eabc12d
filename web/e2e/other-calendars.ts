// Test helpers for calendars of other services.
import pg from 'pg'
import { type CaldavServer, startCaldavServer } from '../../caldav/test/servers.ts'
import { it as base, type Person, perWorker } from './it.ts'

/** `it` with a CalDAV server on this machine. */
export const itWithCaldav = base.extend<object, { dav: CaldavServer }>({
  dav: [
    async ({}, use) => {
      const server = await startCaldavServer('radicale')
      await use(server)
      await server.stop()
    },
    perWorker,
  ],
})

export async function query(database: string, text: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Fetches all calendars. Sets the last attempt back by a minute, because the service allows one every 30 s. */
export async function fetchNow({ api }: Person, database: string) {
  await query(database, `update calendars set attempted_at = attempted_at - interval '1 minute'`)
  for (const { id } of await api.calendars.list()) await api.calendars.refresh(id)
}

export const eventsShown = ({ page }: Person) =>
  page.getByRole('list', { name: 'Events of other calendars' })
