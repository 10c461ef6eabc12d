// From the consent of the user to events in the calendar, with stand-ins for Google and Microsoft.
import { afterAll } from 'vitest'
import { prepareCalendarJobs } from '../../../test/calendar-jobs.ts'
import { changesOf } from '../../../test/events.ts'
import { startFakeGoogle } from '../../../test/fake-google.ts'
import { startFakeMicrosoft } from '../../../test/fake-microsoft.ts'
import { clientCredentials } from '../../../test/fake-provider.ts'
import { describe, expect, it as base, signUp, testApp, unknownId } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { refreshCalendar } from '../calendars/refresh-calendar.ts'
import { accessAccount } from './access.ts'
import { findAccount } from './connected-accounts.queries.ts'
import { configuredProviders } from './providers.ts'

const minute = 60_000
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const contextOf = prepareCalendarJobs(now)
const google = await startFakeGoogle()
const microsoft = await startFakeMicrosoft()
afterAll(() => {
  google.close()
  microsoft.close()
})
google.addCalendar('ada@example.com')
google.put('ada@example.com', {
  id: 'standup',
  summary: 'Stand-up',
  start: { dateTime: '2026-03-03T10:00:00+01:00' },
  end: { dateTime: '2026-03-03T10:30:00+01:00' },
})

/** The origin of the page that asks, since there is no PUBLIC_URL. */
const origin = 'http://localhost'
const settings = {
  GOOGLE_CLIENT_ID: clientCredentials.id,
  GOOGLE_CLIENT_SECRET: clientCredentials.secret,
  GOOGLE_URL: new URL(google.endpoints.api).origin,
  MICROSOFT_CLIENT_ID: clientCredentials.id,
  MICROSOFT_CLIENT_SECRET: clientCredentials.secret,
  MICROSOFT_URL: new URL(microsoft.endpoints.api).origin,
  MICROSOFT_TENANT: 'common',
}

/** A server that can connect accounts, and a user who is signed in there. */
const it = base
  .extend('connecting', { scope: 'file' }, ({ db }) => testApp(db, now, settings))
  .extend('owner', ({ connecting }) => signUp(connecting))

type Person = Awaited<ReturnType<typeof signUp>>

/** What the provider sends back once the user has agreed. */
async function agree(person: Person, kind = 'google') {
  const { body } = await person.post('/api/connected-accounts/authorize', { kind })
  const answer = await fetch(body.url, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe(`${origin}/settings/calendars`)
  return { code: back.searchParams.get('code'), state: back.searchParams.get('state') }
}

async function connect(person: Person, kind = 'google') {
  const { status, body } = await person.post('/api/connected-accounts', await agree(person, kind))
  expect(status).toBe(201)
  return body.id as string
}

async function addCalendar(person: Person, accountId: string) {
  const found = await person.get(`/api/connected-accounts/${accountId}/calendars`)
  expect(found.status).toBe(200)
  const [{ url, name, color }] = found.body.calendars
  const { status, body } = await person.post('/api/calendars', { url, accountId, name, color })
  expect(status).toBe(201)
  return body
}

const refresh = (db: Database, { id }: Person, calendarId: string) => {
  time += minute
  const context = { ...contextOf(db), providers: configuredProviders(settings) }
  return refreshCalendar(context, id, calendarId)
}

const eventsOf = async (person: Person) =>
  (
    await person.get('/api/calendar-events?from=2026-03-03T00:00:00Z&to=2026-03-10T00:00:00Z')
  ).body.map(({ title, startAt }: { title: string; startAt: string }) => `${title} ${startAt}`)

describe('a connected account', () => {
  it('is connected, read, kept up to date and deleted', async ({ owner: ada, db }) => {
    const empty = { kinds: ['google', 'microsoft'], accounts: [] }
    expect(await ada.get('/api/connected-accounts')).toEqual({ status: 200, body: empty })
    const accountId = await connect(ada)
    const { body: listed } = await ada.get('/api/connected-accounts')
    expect(listed.accounts).toMatchObject([
      { id: accountId, kind: 'google', email: 'ada@example.com' },
    ])

    const calendar = await addCalendar(ada, accountId)
    expect(calendar).toMatchObject({ kind: 'google', accountId, username: null, color: '#9FE1E7' })
    await refresh(db, ada, calendar.id)
    expect(await eventsOf(ada)).toEqual(['Stand-up 2026-03-03T09:00:00.000Z'])

    google.takeAsked()
    await refresh(db, ada, calendar.id)
    expect(google.takeAsked()).toEqual([expect.stringContaining('syncToken=')])
    google.put('ada@example.com', {
      id: 'lunch',
      summary: 'Lunch',
      start: { dateTime: '2026-03-04T12:00:00Z' },
      end: { dateTime: '2026-03-04T13:00:00Z' },
    })
    await refresh(db, ada, calendar.id)
    expect(await eventsOf(ada)).toHaveLength(2)
    google.remove('ada@example.com', 'lunch')
    await refresh(db, ada, calendar.id)
    expect(await eventsOf(ada)).toEqual(['Stand-up 2026-03-03T09:00:00.000Z'])

    expect((await ada.delete(`/api/connected-accounts/${accountId}`)).status).toBe(200)
    expect((await ada.get('/api/calendars')).body).toEqual([])
    expect(await eventsOf(ada)).toEqual([])
    expect((await changesOf(db, ada, 0)).map(([type]) => type)).toEqual(
      expect.arrayContaining([
        'connectedAccount.created',
        'calendar.created',
        'calendar.deleted',
        'connectedAccount.deleted',
      ]),
    )
    expect((await ada.delete(`/api/connected-accounts/${accountId}`)).status).toBe(404)
  })

  it('stores its tokens encrypted, and renews them in time', async ({ owner: ada, db }) => {
    const accountId = await connect(ada, 'microsoft')
    microsoft.addCalendar('ada')
    const calendar = await addCalendar(ada, accountId)
    const tokensOf = async () =>
      (
        await db.pool.query('select sealed_tokens from connected_accounts where user_id = $1', [
          ada.id,
        ])
      ).rows[0].sealed_tokens as string
    const before = await tokensOf()
    expect(before).not.toContain('accessToken')

    await refresh(db, ada, calendar.id)
    expect(await tokensOf()).toBe(before)
    time += 60 * minute
    await refresh(db, ada, calendar.id)
    expect(await tokensOf()).not.toBe(before)
    expect((await ada.get(`/api/calendars/${calendar.id}`)).body.error).toBeNull()
  })

  it('keeps the tokens of a new connection, even if older ones are renewed meanwhile', async ({
    owner: ada,
    db,
  }) => {
    const accountId = await connect(ada)
    const readBefore = await findAccount(db, ada.id, accountId)
    time += 60 * minute
    await connect(ada)
    const connected = await findAccount(db, ada.id, accountId)

    const accessing = { ...contextOf(db), providers: configuredProviders(settings) }
    await accessAccount(accessing, ada.id, readBefore!)

    expect(await findAccount(db, ada.id, accountId)).toEqual(connected)
    expect(connected).not.toEqual(readBefore)
  })

  it('has calendars with names that can be stored', async ({ owner: ada }) => {
    google.addCalendar(`long\0 ${'x'.repeat(300)}`)
    const accountId = await connect(ada)
    const { body } = await ada.get(`/api/connected-accounts/${accountId}/calendars`)
    const { url, name } = body.calendars.at(-1)
    expect(name).toHaveLength(200)
    expect((await ada.post('/api/calendars', { url, accountId, name })).status).toBe(201)
  })

  it('reports withdrawn access, keeps its events, and resumes when connected again', async ({
    owner: ada,
    db,
  }) => {
    const accountId = await connect(ada)
    const calendar = await addCalendar(ada, accountId)
    await refresh(db, ada, calendar.id)
    google.withdraw()
    await refresh(db, ada, calendar.id)
    const stopped = await ada.get(`/api/calendars/${calendar.id}`)
    expect(stopped.body).toMatchObject({
      error: 'The account no longer allows access: connect it again',
      nextFetchAt: null,
    })
    expect(await eventsOf(ada)).toHaveLength(1)
    expect((await ada.get(`/api/connected-accounts/${accountId}/calendars`)).status).toBe(422)

    expect(await connect(ada)).toBe(accountId)
    const resumed = await ada.get(`/api/calendars/${calendar.id}`)
    expect(resumed.body.nextFetchAt).not.toBeNull()
    await refresh(db, ada, calendar.id)
    expect((await ada.get(`/api/calendars/${calendar.id}`)).body.error).toBeNull()
  })

  it('is refused with a state that is another user’s, too old or used twice', async ({
    owner: ada,
    connecting,
  }) => {
    const other = await signUp(connecting)
    const given = await agree(ada)
    const invalid = { status: 400, body: { details: { state: [expect.any(String)] } } }
    expect(await other.post('/api/connected-accounts', given)).toMatchObject(invalid)
    for (const state of ['x', Buffer.from('x'.repeat(40)).toString('base64')]) {
      expect(await ada.post('/api/connected-accounts', { ...given, state })).toMatchObject(invalid)
    }
    time += 16 * minute
    expect(await ada.post('/api/connected-accounts', given)).toMatchObject(invalid)
    const again = await agree(ada)
    expect((await ada.post('/api/connected-accounts', again)).status).toBe(201)
    expect(await ada.post('/api/connected-accounts', again)).toMatchObject(invalid)
  })

  it('is refused with a state that was used already, whatever became of it', async ({
    owner: ada,
  }) => {
    const given = await agree(ada)
    expect((await ada.post('/api/connected-accounts', { ...given, code: 'x' })).status).toBe(422)
    const invalid = { status: 400, body: { details: { state: [expect.any(String)] } } }
    expect(await ada.post('/api/connected-accounts', given)).toMatchObject(invalid)
    time += 1
    await connect(ada)
  })

  it('sends its token only to its provider', async ({ owner: ada }) => {
    const accountId = await connect(ada)
    for (const url of [
      'https://evil.example/calendars/ada/events',
      `${google.endpoints.api}/../evil`,
      google.endpoints.tokenUrl,
    ]) {
      const { status, body } = await ada.post('/api/calendars', { url, accountId })
      expect(status).toBe(400)
      expect(body.details).toHaveProperty('url')
    }
    const url = `${google.endpoints.api}/calendars/x/events`
    expect(await ada.post('/api/calendars', { url, accountId: unknownId })).toMatchObject({
      status: 400,
      body: { details: { accountId: ['There is no such account'] } },
    })
    const both = { url, accountId, username: 'ada', password: 'secret' }
    expect((await ada.post('/api/calendars', both)).status).toBe(400)
    const { body: calendar } = await ada.post('/api/calendars', { url, accountId })
    const changes = { username: 'ada', password: 'secret' }
    expect((await ada.patch(`/api/calendars/${calendar.id}`, changes)).status).toBe(400)
    const moved = { url: 'https://example.com/a.ics' }
    const { body } = await ada.patch(`/api/calendars/${calendar.id}`, moved)
    expect(body).toMatchObject({ kind: 'file', accountId: null })
  })

  it('loses its access at the provider when it is disconnected', async ({ owner: ada }) => {
    const before = google.countGrants()
    const accountId = await connect(ada)
    expect(google.countGrants()).toBe(before + 1)

    expect((await ada.delete(`/api/connected-accounts/${accountId}`)).status).toBe(200)

    expect(google.countGrants()).toBe(before)
  })

  it.for(['google', 'microsoft'] as const)(
    'is disconnected even if %s does not revoke the access',
    async (kind, { owner: ada }) => {
      const accountId = await connect(ada, kind)
      google.refuseRevocations()

      expect((await ada.delete(`/api/connected-accounts/${accountId}`)).status).toBe(200)

      expect((await ada.get('/api/connected-accounts')).body.accounts).toEqual([])
    },
  )

  it('is visible only to its user', async ({ owner: ada, connecting }) => {
    const accountId = await connect(ada)
    const other = await signUp(connecting)
    expect((await other.get('/api/connected-accounts')).body.accounts).toEqual([])
    expect((await other.get(`/api/connected-accounts/${accountId}/calendars`)).status).toBe(404)
    expect((await other.delete(`/api/connected-accounts/${accountId}`)).status).toBe(404)
  })
})

describe('a server without client ids', () => {
  it('offers no accounts', async ({ app }) => {
    const ada = await signUp(app)
    expect((await ada.get('/api/connected-accounts')).body.kinds).toEqual([])
    expect((await ada.post('/api/connected-accounts/authorize', { kind: 'google' })).status).toBe(
      400,
    )
  })
})
