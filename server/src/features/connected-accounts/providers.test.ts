import { type CalendarReading, readCalendarFiles, type WrittenEvent } from '@daywright/ical'
import { afterAll, describe, expect, it } from 'vitest'
import { startFakeGoogle } from '../../../test/fake-google.ts'
import { startFakeMicrosoft } from '../../../test/fake-microsoft.ts'
import { clientCredentials, type FakeProvider } from '../../../test/fake-provider.ts'
import { readerHere } from '../../../test/reader-here.ts'
import { getOutside } from '../../platform/outbound/http-get.ts'
import { outboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import { nameResolver } from '../../platform/outbound/resolve-name.ts'
import { authorizationUrl, exchangeCode, isUsable, newVerifier, refreshTokens } from './oauth.ts'
import { askAs, ProviderError, type SyncState } from './provider.ts'
import { type ConnectedProvider, connectGoogle, connectMicrosoft } from './providers.ts'

const now = new Date('2026-03-02T08:00:00Z')
const window = {
  from: new Date('2026-02-01T00:00:00Z'),
  to: new Date('2026-09-01T00:00:00Z'),
  mostEvents: 100,
}
const { request, close } = getOutside(
  outboundAddresses('allow', undefined),
  nameResolver(() => now),
)
const owner = { userId: 'ada' }
const reader = readerHere(() => {
  throw new Error('No file is read here')
})
const askWith = (accessToken: string) =>
  askAs(request, {
    accessToken,
    readAnswer: (name, content, mostBytes) => reader.readAnswer(owner, name, content, mostBytes),
  })
const google = await startFakeGoogle()
const microsoft = await startFakeMicrosoft()
afterAll(() => {
  close()
  google.close()
  microsoft.close()
})

/** The same meeting in the format of each provider. */
const providers = [
  {
    name: 'Google',
    fake: google,
    provider: connectGoogle(clientCredentials, google.endpoints),
    put: (calendar: string, id: string, day: string, title = id) =>
      google.put(calendar, {
        id,
        summary: title,
        start: { dateTime: `${day}T10:00:00+01:00`, timeZone: 'Europe/Berlin' },
        end: { dateTime: `${day}T11:00:00+01:00`, timeZone: 'Europe/Berlin' },
      }),
  },
  {
    name: 'Microsoft',
    fake: microsoft,
    provider: connectMicrosoft(clientCredentials, microsoft.endpoints),
    put: (calendar: string, id: string, day: string, title = id) =>
      microsoft.put(calendar, {
        id,
        type: 'singleInstance',
        subject: title,
        isAllDay: false,
        showAs: 'busy',
        start: { dateTime: `${day}T09:00:00.0000000`, timeZone: 'UTC' },
        end: { dateTime: `${day}T10:00:00.0000000`, timeZone: 'UTC' },
      }),
  },
]

/** A copy of a calendar, as it is stored between two readings. */
function newCopy(provider: ConnectedProvider, fake: FakeProvider, url: string) {
  const files = new Map<string, string>()
  const state: SyncState = { token: null, etags: new Map() }
  return {
    state,
    /** Reads the calendar; returns what has changed. */
    async sync(limits = window) {
      const ask = askWith(fake.newAccessToken())
      const asking = {
        ask,
        writeObjects: (events: WrittenEvent[]) => reader.writeObjects(owner, events),
      }
      const { written, removed, token } = await provider.syncEvents(asking, url, state, limits)
      for (const { path, etag, body } of written) {
        files.set(path, body)
        state.etags.set(path, etag)
      }
      for (const path of removed) {
        files.delete(path)
        state.etags.delete(path)
      }
      state.token = token
      return { written: written.map(({ path }) => path).toSorted(), removed }
    },
    read: (): CalendarReading =>
      readCalendarFiles(
        [...files.values()].map((file) => Buffer.from(file)),
        {
          from: window.from.toISOString(),
          to: window.to.toISOString(),
          zone: 'Europe/Berlin',
          addresses: [],
        },
      ),
  }
}

for (const { name, fake, provider, put } of providers) {
  const urlOf = async (calendar: string) => {
    const found = await provider.listCalendars(askWith(fake.newAccessToken()))
    return found.find((each) => each.name === `Calendar ${calendar}`)?.url ?? ''
  }

  describe(`an account at ${name}`, () => {
    it('lists all calendars, over several pages', async () => {
      for (const id of ['one', 'two@example.com', 'three/#1']) fake.addCalendar(id)

      const found = await provider.listCalendars(askWith(fake.newAccessToken()))

      expect(found.map((each) => each.name)).toEqual(
        expect.arrayContaining(
          ['one', 'two@example.com', 'three/#1'].map((id) => `Calendar ${id}`),
        ),
      )
      expect(found[0]?.color).toMatch(/^#[\dA-F]{6}$/)
    })

    it('reads a calendar once, and then only what has changed', async () => {
      fake.addCalendar('sync/#')
      for (const id of ['a', 'b', 'c']) put('sync/#', id, '2026-03-03')
      put('sync/#', 'past', '2026-01-03')
      const copy = newCopy(provider, fake, await urlOf('sync/#'))

      expect(await copy.sync()).toEqual({ written: ['a', 'b', 'c'], removed: [] })
      expect(copy.read().occurrences).toHaveLength(3)
      fake.takeAsked()
      expect(await copy.sync()).toEqual({ written: [], removed: [] })
      expect(fake.takeAsked()).toHaveLength(1)

      put('sync/#', 'b', '2026-03-04')
      put('sync/#', 'd', '2026-03-05')
      fake.remove('sync/#', 'a')
      expect(await copy.sync()).toEqual({ written: ['b', 'd'], removed: ['a'] })
      expect(
        copy
          .read()
          .occurrences.map(({ title, startAt }) => `${title} ${startAt.slice(0, 16)}`)
          .toSorted(),
      ).toEqual(['b 2026-03-04T09:00', 'c 2026-03-03T09:00', 'd 2026-03-05T09:00'])
    })

    it('reads everything again if its token is too old', async () => {
      fake.addCalendar('old')
      for (const id of ['a', 'b', 'c']) put('old', id, '2026-03-03')
      const copy = newCopy(provider, fake, await urlOf('old'))
      await copy.sync()

      fake.remove('old', 'b')
      put('old', 'c', '2026-03-06')
      fake.forgetTokens()

      expect(await copy.sync()).toEqual({ written: ['c'], removed: ['b'] })
      expect(await copy.sync()).toEqual({ written: [], removed: [] })
    })

    it('fails with a reason, and changes nothing', async () => {
      fake.addCalendar('fails')
      for (const id of ['a', 'b', 'c']) put('fails', id, '2026-03-03')
      const copy = newCopy(provider, fake, await urlOf('fails'))
      await copy.sync()
      const failSync = async (answer: Parameters<typeof fake.answerOnce>[0]) => {
        fake.answerOnce(answer)
        return copy.sync().catch((error: unknown) => error)
      }

      expect(await failSync({ status: 500 })).toEqual(new ProviderError('failed', { status: 500 }))
      expect(await failSync({ status: 429, headers: { 'retry-after': '7' } })).toEqual(
        new ProviderError('too-many-requests', { status: 429, retryAfterSeconds: 7 }),
      )
      expect(await failSync({ status: 200, body: [] })).toEqual(new ProviderError('failed'))
      expect(await failSync({ status: 200, body: { items: [{}], value: [{}] } })).toEqual(
        new ProviderError('failed'),
      )
      expect(copy.read().occurrences).toHaveLength(3)
      expect(await copy.sync()).toEqual({ written: [], removed: [] })
    })

    it('is not read beyond the limit', async () => {
      fake.addCalendar('large')
      for (const id of ['a', 'b', 'c']) put('large', id, '2026-03-03')
      const copy = newCopy(provider, fake, await urlOf('large'))

      await expect(copy.sync({ ...window, mostEvents: 2 })).rejects.toEqual(
        new ProviderError('too-large'),
      )
    })

    it('gives its tokens for a code once, to the client that asked', async () => {
      const { client } = provider
      const verifier = newVerifier()
      const redirectUri = 'https://plan.example.com/settings/calendars'
      const agree = async () => {
        const url = authorizationUrl(client, { redirectUri, state: 'mine', verifier })
        const answer = await fetch(url, { redirect: 'manual' })
        const back = new URL(answer.headers.get('location') ?? '')
        expect(back.searchParams.get('state')).toBe('mine')
        return back.searchParams.get('code') ?? ''
      }
      const code = await agree()
      const given = { code, verifier, redirectUri }
      const withdrawn = new ProviderError('access-withdrawn')

      const { tokens, email } = await exchangeCode(request, client, given, now)
      expect(email).toBe('ada@example.com')
      expect(isUsable(tokens, now)).toBe(true)
      expect(isUsable(tokens, new Date(now.getTime() + 3_550_000))).toBe(false)
      await provider.listCalendars(askWith(tokens.accessToken))
      await expect(exchangeCode(request, client, given, now)).rejects.toEqual(withdrawn)
      const other = { ...given, code: await agree(), verifier: newVerifier() }
      await expect(exchangeCode(request, client, other, now)).rejects.toEqual(withdrawn)

      const later = await refreshTokens(request, client, tokens, now)
      expect(later.accessToken).not.toBe(tokens.accessToken)
      expect(later.refreshToken === tokens.refreshToken).toBe(name === 'Google')
      fake.withdraw()
      await expect(refreshTokens(request, client, later, now)).rejects.toEqual(withdrawn)
      await expect(provider.listCalendars(askWith(later.accessToken))).rejects.toMatchObject({
        reason: 'access-withdrawn',
      })
    })
  })
}

/** The relevant fields of each event, by its title. */
const readOf = (reading: CalendarReading) =>
  Object.fromEntries(
    reading.occurrences.map(
      ({ title, startAt, endAt, isAllDay, isBusy, isTentative, location }) => [
        title,
        { startAt, endAt, isAllDay, isBusy, isTentative, location },
      ],
    ),
  )

describe('events at Google', () => {
  it('block time or not, as the user has set there', async () => {
    const [{ provider, fake }] = providers as [(typeof providers)[number]]
    google.addCalendar('words')
    const span = {
      start: { dateTime: '2026-03-03T09:00:00Z' },
      end: { dateTime: '2026-03-03T10:00:00Z' },
    }
    const responseFields = (responseStatus: string) => ({
      attendees: [
        { email: 'x@example.com', responseStatus: 'accepted' },
        { self: true, responseStatus },
      ],
    })
    const events: Record<string, object> = {
      plain: { location: 'Room 4, 2nd floor' },
      free: { transparency: 'transparent' },
      declined: responseFields('declined'),
      invited: responseFields('needsAction'),
      accepted: responseFields('accepted'),
      tentative: { status: 'tentative' },
      office: { eventType: 'workingLocation' },
      day: { start: { date: '2026-03-03' }, end: { date: '2026-03-05' } },
    }
    for (const [id, more] of Object.entries(events)) {
      google.put('words', { id, summary: id, ...span, ...more })
    }
    const copy = newCopy(provider, fake, `${google.endpoints.api}/calendars/words/events`)
    await copy.sync()

    const busy = { isBusy: true, isTentative: false }
    expect(readOf(copy.read())).toMatchObject({
      plain: { ...busy, location: 'Room 4, 2nd floor', startAt: '2026-03-03T09:00:00.000Z' },
      free: { isBusy: false },
      declined: { isBusy: false },
      invited: { isBusy: true, isTentative: true },
      accepted: busy,
      tentative: { isBusy: true, isTentative: true },
      office: { isBusy: false },
      day: {
        isAllDay: true,
        startAt: '2026-03-02T23:00:00.000Z',
        endAt: '2026-03-04T23:00:00.000Z',
      },
    })
  })
})

describe('events at Microsoft', () => {
  const [, { provider, fake }] = providers as [unknown, (typeof providers)[number]]
  const at = (time: string) => ({ dateTime: `2026-03-${time}.0000000`, timeZone: 'UTC' })
  const span = { start: at('03T09:00:00'), end: at('03T10:00:00') }
  const urlOf = (calendar: string) =>
    `${microsoft.endpoints.api}/me/calendars/${calendar}/calendarView/delta`

  it('block time or not, as the user has set there', async () => {
    microsoft.addCalendar('words')
    const responseFields = (response: string) => ({ responseStatus: { response, time: null } })
    const events: Record<string, object> = {
      plain: { showAs: 'busy', location: { displayName: 'Room 4' } },
      free: { showAs: 'free' },
      away: { showAs: 'oof' },
      elsewhere: { showAs: 'workingElsewhere' },
      tentative: { showAs: 'tentative' },
      invited: { showAs: 'busy', ...responseFields('notResponded') },
      declined: { showAs: 'busy', ...responseFields('declined') },
      cancelled: { showAs: 'busy', isCancelled: true },
      day: { showAs: 'oof', isAllDay: true, start: at('03T00:00:00'), end: at('05T00:00:00') },
    }
    for (const [id, more] of Object.entries(events)) {
      microsoft.put('words', { id, subject: id, ...span, ...more })
    }
    const copy = newCopy(provider, fake, urlOf('words'))
    await copy.sync()

    const busy = { isBusy: true, isTentative: false }
    const read = readOf(copy.read())
    expect(read).toMatchObject({
      plain: { ...busy, location: 'Room 4', startAt: '2026-03-03T09:00:00.000Z' },
      free: { isBusy: false },
      away: busy,
      elsewhere: { isBusy: false },
      tentative: { isBusy: true, isTentative: true },
      invited: { isBusy: true, isTentative: true },
      declined: { isBusy: false },
      day: {
        isAllDay: true,
        startAt: '2026-03-02T23:00:00.000Z',
        endAt: '2026-03-04T23:00:00.000Z',
      },
    })
    expect(read).not.toHaveProperty('cancelled')
  })

  it('have the title of their series, even if only one occurrence has changed', async () => {
    microsoft.addCalendar('series')
    const master = { id: 'm', type: 'seriesMaster' as const, subject: 'Stand-up', showAs: 'busy' }
    const occurrence = (id: string, day: string) => ({
      id,
      type: 'occurrence' as const,
      seriesMasterId: 'm',
      start: at(`${day}T09:00:00`),
      end: at(`${day}T09:15:00`),
    })
    microsoft.put('series', { ...master, ...span })
    for (const day of ['03', '04', '05']) microsoft.put('series', occurrence(`m${day}`, day))
    const copy = newCopy(provider, fake, urlOf('series'))

    expect(await copy.sync()).toEqual({ written: ['m03', 'm04', 'm05'], removed: [] })
    microsoft.put('series', occurrence('m04', '06'))
    expect(await copy.sync()).toEqual({ written: ['m04'], removed: [] })
    expect(
      copy.read().occurrences.map(({ title, startAt }) => `${title} ${startAt.slice(8, 10)}`),
    ).toEqual(expect.arrayContaining(['Stand-up 03', 'Stand-up 05', 'Stand-up 06']))
  })

  it('are not requested from another origin: the access token would be sent there', async () => {
    microsoft.addCalendar('links')
    const copy = newCopy(provider, fake, urlOf('links'))
    microsoft.answerOnce({
      status: 200,
      body: { value: [], '@odata.nextLink': 'https://evil.example/next' },
    })
    await expect(copy.sync()).rejects.toEqual(new ProviderError('failed'))
    microsoft.answerOnce({
      status: 200,
      body: { value: [], '@odata.deltaLink': 'https://evil.example/next' },
    })
    await copy.sync()
    await expect(copy.sync()).rejects.toEqual(new ProviderError('failed'))
  })
})
