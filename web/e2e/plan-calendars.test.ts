// The plan in a calendar at a CalDAV server: a real server on loopback.
import { createProgram, isInstalled, password, user } from '../../caldav/test/servers.ts'
import { faultsInBothThemes } from './axe.ts'
import { comingMonday } from './calendar.ts'
import { describe, expect } from './it.ts'
import { itWithCaldav as it, query } from './other-calendars.ts'

const monday = comingMonday()
const at = (day: number, time: string) =>
  new Date(`${monday.add({ days: day }).toString()}T${time}Z`)

describe('the plan in a calendar at a CalDAV server', () => {
  it.skip(!isInstalled('radicale'), 'Radicale is not installed.')

  it('is written to the server, and a block moved there is moved in the app', async ({
    ada: { page, open, api },
    dav,
    database,
  }) => {
    const program = createProgram(dav)
    const url = await program.createCalendar('Plan')
    const block = await api.timeBlocks.create({
      type: 'event',
      title: 'Dentist',
      startAt: at(0, '09:00'),
      endAt: at(0, '10:00'),
    })
    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Choose calendar' }).click()
    await page.getByLabel('Server').fill(dav.origin)
    await page.getByLabel('User name').fill(user)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Find calendars' }).click()
    const choice = page.getByLabel('Calendar', { exact: true })
    await expect(choice).toHaveValue(`${dav.home}daywright/`)
    await choice.selectOption({ label: 'Plan' })
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Show my plan there' }).click()

    const row = page.getByRole('listitem', { name: 'Plan' })
    await row.getByText('1 event · updated').waitFor({ timeout: 30_000 })
    expect(await faultsInBothThemes(page)).toEqual([])
    const file = await program.read(`${url}${block.id}.ics`)
    expect(file).toContain('SUMMARY:Dentist')

    const utc = (time: Date) => time.toISOString().replaceAll(/[-:]|\.000/g, '')
    await program.put(
      `${url}${block.id}.ics`,
      file
        .replace(/DTSTART:.*/, `DTSTART:${utc(at(2, '13:00'))}`)
        .replace(/DTEND:.*/, `DTEND:${utc(at(2, '14:00'))}`),
    )
    await query(
      database,
      `update plan_calendars set next_sync_at = now(); update user_state set due_at = now() where publishes`,
    )
    await expect
      .poll(async () => (await api.timeBlocks.get(block.id)).startAt, { timeout: 30_000 })
      .toEqual(at(2, '13:00'))

    await row.getByRole('button', { name: 'Stop and delete its events: Plan' }).click()
    await row.getByRole('button', { name: 'Delete its events?' }).click()
    await row.waitFor({ state: 'detached', timeout: 30_000 })
    await expect(program.read(`${url}${block.id}.ics`)).rejects.toThrow('404')
  })
})
