// An account at Google: a fake server on loopback that follows the documentation of Google's API.
import { type FakeGoogle, startFakeGoogle } from '../../server/test/fake-google.ts'
import { clientCredentials } from '../../server/test/fake-provider.ts'
import { faultsInBothThemes } from './axe.ts'
import { comingMonday } from './calendar.ts'
import { describe, expect, it as base, perWorker } from './it.ts'
import { eventsShown, fetchNow } from './other-calendars.ts'
import { startServer } from './server.ts'

const it = base.extend<object, { google: FakeGoogle; origin: string }>({
  google: [
    async ({}, use) => {
      const google = await startFakeGoogle()
      await use(google)
      google.close()
    },
    perWorker,
  ],
  origin: [
    async ({ database, google }, use) => {
      const service = await startServer(database, {
        GOOGLE_CLIENT_ID: clientCredentials.id,
        GOOGLE_CLIENT_SECRET: clientCredentials.secret,
        GOOGLE_URL: new URL(google.endpoints.api).origin,
      })
      await use(service.origin)
      await service.stop()
    },
    perWorker,
  ],
})

const monday = comingMonday().toString()
const meeting = (id: string, title: string, hour: number) => ({
  id,
  summary: title,
  start: { dateTime: `${monday}T${hour}:00:00Z` },
  end: { dateTime: `${monday}T${hour + 1}:00:00Z` },
})

describe('an account at Google', () => {
  it('is connected, shows its events in the week, and is disconnected', async ({
    ada,
    google,
    database,
  }) => {
    const { page, open, api } = ada
    google.addCalendar('Work')
    google.addCalendar('Birthdays')
    google.put('Work', meeting('a', 'Stand-up', 10))

    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Connect Google account' }).click()
    await page.getByText('Calendars of this account').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(new URL(page.url()).searchParams.has('code')).toBe(false)
    await page.getByLabel('Calendar Work').check()
    await page.getByRole('button', { name: 'Add 1 calendar' }).click()
    const row = page.getByRole('listitem', { name: 'Calendar Work' })
    await row.getByText('1 event').waitFor({ timeout: 30_000 })

    await open(`/calendar?w=${monday}`)
    await eventsShown(ada).getByText('Stand-up').waitFor()
    google.put('Work', meeting('a', 'Stand-up, moved', 12))
    await fetchNow(ada, database)
    await eventsShown(ada).getByText('Stand-up, moved').waitFor({ timeout: 30_000 })

    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Disconnect ada@example.com' }).click()
    await page.getByRole('button', { name: 'Disconnect and remove its calendars?' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await api.calendars.list()).toEqual([])
  })

  it('is not connected if the user does not agree', async ({ ada: { page, open } }) => {
    await open('/settings/calendars?error=access_denied')
    await page.getByText('The account was not connected: access was not allowed.').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })
})
