// Events of calendars at other services.
import pg from 'pg'
import { type CaldavServer, startCaldavServer } from '../../caldav/test/servers.ts'
import { it as base, type Person, perWorker } from './it.ts'

/** With a CalDAV server on this machine. */
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

/** A calendar is fetched at most every 30 s: it was last fetched a minute ago. */
export async function fetchNow({ api }: Person, database: string) {
  await query(database, `update calendars set fetched_at = fetched_at - interval '1 minute'`)
  for (const { id } of await api.calendars.list()) await api.calendars.refresh(id)
}

export const eventsShown = ({ page }: Person) =>
  page.getByRole('list', { name: 'Events of other calendars' })
