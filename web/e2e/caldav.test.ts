// Calendars of an account at a CalDAV server: a real server on loopback.
import { createProgram, fileOf, isInstalled, password, user } from '../../caldav/test/servers.ts'
import { faultsInBothThemes } from './axe.ts'
import { comingMonday } from './calendar.ts'
import { allowFaults, describe, expect } from './it.ts'
import { eventsShown, fetchNow, itWithCaldav as it } from './other-calendars.ts'

const monday = comingMonday()
const day = (days: number) => monday.add({ days }).toString().replaceAll('-', '')

describe('an account at a CalDAV server', () => {
  it.skip(!isInstalled('radicale'), 'Radicale is not installed.')

  it('is connected, and its events appear in the week', async ({ ada, dav, database }) => {
    const { page, open, api } = ada
    const program = createProgram(dav)
    const work = await program.createCalendar('Work')
    await program.createCalendar('Birthdays')
    await program.put(`${work}a.ics`, fileOf('a', day(0)))

    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Connect CalDAV account' }).click()
    await page.getByLabel('Server').fill(dav.origin)
    await page.getByLabel('User name').fill(user)
    await page.getByLabel('Password').fill('wrong')
    allowFaults(page, /422 .*\/api\/calendars\/discover/)
    await page.getByRole('button', { name: 'Find calendars' }).click()
    await page.getByText('The server refuses the user name or the password').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Find calendars' }).click()
    const found = page.getByRole('group', { name: 'Calendars of this account' })
    await found.getByLabel('Birthdays').uncheck()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Add 1 calendar' }).click()

    const row = page.getByRole('listitem', { name: 'Work' })
    await row.getByText(`${user} · 127.0.0.1 · 1 event`).waitFor()
    expect((await api.calendars.list()).map(({ name, color }) => [name, color])).toEqual([
      ['Work', '#11AA33'],
    ])
    await open(`/calendar?w=${monday.toString()}`)
    await eventsShown(ada).getByText('Meeting a').waitFor()

    await program.put(`${work}b.ics`, fileOf('b', day(1)))
    await fetchNow(ada, database)
    await eventsShown(ada).getByText('Meeting b').waitFor()
  })

  it('gets a new password after the server refused the old one', async ({ ada, dav }) => {
    const { page, open, api } = ada
    const program = createProgram(dav)
    const url = await program.createCalendar('Team')
    await program.put(`${url}a.ics`, fileOf('a', day(0)))
    await api.calendars.create({ url, name: 'Team', username: user, password: 'old' })
    await open('/settings/calendars')
    const row = page.getByRole('listitem', { name: 'Team' })
    await row.getByText('The server refuses the user name or the password').waitFor()

    await row.getByRole('button', { name: 'Change password' }).click()
    await row.getByLabel(`New password for ${user} at 127.0.0.1`).fill(password)
    expect(await faultsInBothThemes(page)).toEqual([])
    await row.getByRole('button', { name: 'Save password' }).click()
    await row.getByText('1 event').waitFor()
    await expect.poll(async () => (await api.calendars.list())[0]?.error).toBeNull()
  })
})
