// Calendars of other services: a real server on loopback whose file changes and fails.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, on } from './calendar.ts'
import { describe, expect, it as base, type Person, startBefore } from './it.ts'

const it = base.extend('site', async ({}, { onCleanup }) => {
  const site = { status: 200, body: '', url: '' }
  const server = createServer((_request, response) => {
    response.writeHead(site.status, { 'content-type': 'text/calendar' }).end(site.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work.ics`
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
})

startBefore(it)

const monday = comingMonday()

/** A calendar with a meeting at these times on Monday. */
function fileWith(from: string, to: string) {
  const at = (time: string) =>
    on(monday, time)
      .toISOString()
      .replaceAll(/[-:]|\.000/g, '')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'X-WR-CALNAME:Work',
    'BEGIN:VEVENT',
    'UID:a',
    'SUMMARY:Board meeting',
    `DTSTART:${at(from)}`,
    `DTEND:${at(to)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

describe('a calendar of another service', () => {
  it('is added by its address, planned around, and kept when its server fails', async ({
    ada,
    database,
    site,
  }) => {
    const { api, page, open } = ada
    await api.tasks.create({
      title: 'Write',
      estimateMinutes: 60,
      autoSplit: false,
      startAfter: on(monday, '09:00'),
      dueAt: on(monday, '17:00'),
    })
    site.body = fileWith('09:00', '11:00')
    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Add calendar' }).click()
    await page.getByLabel('Address').fill(site.url)
    await page.getByRole('button', { name: 'Continue' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('1 event').waitFor()
    await preview.getByText('Board meeting').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Work')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Add calendar' }).click()
    const row = page.getByRole('listitem', { name: 'Work' })
    await row.getByText('1 event').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    await api.planner.run()
    const placeOf = async () => {
      const [found] = await blocksOf(ada, monday)
      return found?.startAt
    }
    expect(await placeOf()).toEqual(on(monday, '11:00'))
    await open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()
    await page.getByRole('list', { name: 'Events of other calendars' }).getByText('Board').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    // The meeting moves, and the automatic plan follows.
    await api.settings.update({ automatic: true })
    site.body = fileWith('11:00', '12:00')
    await fetchNow(ada, database)
    const day = { from: on(monday, '00:00'), to: on(monday, '23:59') }
    await expect
      .poll(() => api.calendars.events(day), { timeout: 20_000 })
      .toMatchObject([{ startAt: on(monday, '11:00') }])
    await expect.poll(placeOf, { timeout: 20_000 }).not.toEqual(on(monday, '11:00'))

    await open('/settings/calendars')
    site.status = 500
    await fetchNow(ada, database)
    await row.getByText('The server answered 500').waitFor()
    expect(await api.calendars.events(day)).toHaveLength(1)

    await row.getByRole('button', { name: 'Remove the calendar Work' }).click()
    await row.getByRole('button', { name: 'Remove with its events?' }).click()
    await page.getByText('You have not added any calendars.').waitFor()
  })
})

/** A calendar is fetched at most every 30 s: it was last fetched a minute ago. */
async function fetchNow({ api }: Person, database: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(`update calendars set fetched_at = fetched_at - interval '1 minute'`)
  await client.end()
  for (const { id } of await api.calendars.list()) await api.calendars.refresh(id)
}
