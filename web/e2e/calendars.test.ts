// Calendars of other services: a real server on loopback whose file changes or becomes unreadable.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, on } from './calendar.ts'
import { describe, expect, it as base, newPerson, type Person } from './it.ts'
import { eventsShown, fetchNow, query } from './other-calendars.ts'

type Site = { status: number; body: string; url: string }

const it = base.extend<{ site: Site }>({
  site: async ({}, use) => {
    const site = { status: 200, body: '', url: '' }
    const server = createServer((_request, response) => {
      response.writeHead(site.status, { 'content-type': 'text/calendar' }).end(site.body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work.ics`
    await use(site)
    server.closeAllConnections()
    server.close()
  },
})

const monday = comingMonday()
/** A Monday within the planner's two weeks, whatever day it is today. */
const nextMonday = monday.subtract({ days: 7 })

type Meeting = { title?: string; from: Date; to: Date; more?: string[] }

const utc = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const fileOf = (...meetings: Meeting[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'X-WR-CALNAME:Work',
    ...meetings.flatMap(({ title = 'Board meeting', from, to, more = [] }) => [
      'BEGIN:VEVENT',
      `UID:${title}`,
      `SUMMARY:${title}`,
      `DTSTART:${utc(from)}`,
      `DTEND:${utc(to)}`,
      ...more,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

/** A calendar file with a meeting at these times, by default on Monday. */
const fileWith = (from: string, to: string, day = monday) =>
  fileOf({ from: on(day, from), to: on(day, to) })

/** Subscribes to a calendar, and waits until it has been read. */
async function subscribe({ api }: Person, url: string) {
  const { id } = await api.calendars.create({ url, name: 'Work' })
  const readAt = async () => (await api.calendars.get(id)).fetchedAt
  await expect.poll(readAt, { timeout: 20_000 }).not.toBeNull()
  return id
}

/** Whether something else is drawn over the words of an event. */
const isCovered = (event: Locator) =>
  event.evaluate((element) => {
    const words = document.createRange()
    words.selectNodeContents(element)
    return [...words.getClientRects()].some(
      ({ x, y, width, height }) =>
        document.elementFromPoint(x + width / 2, y + height / 2) !== element ||
        document.elementFromPoint(x + 1, y + height / 2) !== element,
    )
  })

const eventsOn = ({ api }: Person, day: Temporal.PlainDate) =>
  api.calendars.events({ from: on(day, '00:00'), to: on(day, '23:59') })

const overlaps = (one: Place, other: Place) =>
  one.startAt < other.endAt && one.endAt > other.startAt
type Place = { startAt: Date; endAt: Date }

describe('a calendar of another service', () => {
  it('is added by its address, planned around, and removed', async ({ ada, site }) => {
    const { api, page, open } = ada
    site.body = fileWith('09:00', '11:00')
    await createTask(ada, 'Write')
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
    expect(await blocksOf(ada, monday)).toMatchObject([{ startAt: on(monday, '11:00') }])
    await open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()
    await eventsShown(ada).getByText('Board').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    await open('/settings/calendars')
    await row.getByRole('button', { name: 'Remove the calendar Work' }).click()
    await row.getByRole('button', { name: 'Remove with its events?' }).click()
    await page.getByText('You have not added any calendars.').waitFor()
  })

  it('moves only the overlapping blocks when a meeting moves', async ({ ada, database, site }) => {
    const { api } = ada
    for (const title of ['Write', 'Review', 'Sort', 'Call']) await createTask(ada, title)
    site.body = fileWith('09:00', '10:00')
    await subscribe(ada, site.url)
    await api.settings.update({ automatic: true })
    await expect.poll(() => placesOf(ada), { timeout: 20_000 }).toHaveLength(4)
    const before = await placesOf(ada)
    const [first] = before
    expect(first?.startAt).toEqual(on(monday, '10:00'))

    site.body = fileWith('10:00', '11:00')
    await fetchNow(ada, database)
    const [meeting] = [{ startAt: on(monday, '10:00'), endAt: on(monday, '11:00') }]
    await expect
      .poll(async () => (await placesOf(ada)).some((place) => overlaps(place, meeting)), {
        timeout: 20_000,
      })
      .toBe(false)
    const after = await placesOf(ada)
    expect(after).toHaveLength(4)
    const kept = before.filter((place) => !overlaps(place, meeting))
    expect(kept).toHaveLength(3)
    expect(after).toEqual(expect.arrayContaining(kept))
  })

  for (const [what, answer, error] of [
    ['an error', { status: 500 }, 'The server answered 500'],
    ['a page', { body: '<html>Sign in</html>' }, 'There is no calendar at this address'],
    ['an empty file', { body: '' }, 'There is no calendar at this address'],
    ['a cut file', { body: fileWith('09:00', '11:00').slice(0, -40) }, 'The file is incomplete'],
  ] as const) {
    it(`that becomes ${what} still blocks time, and says why`, async ({ ada, database, site }) => {
      const { api, page, open } = ada
      await createTask(ada, 'Write')
      site.body = fileWith('09:00', '11:00')
      await subscribe(ada, site.url)
      await api.planner.run()
      Object.assign(site, answer)
      await open(`/calendar?w=${monday.toString()}`)
      await fetchNow(ada, database)

      const legend = page.getByRole('region', { name: 'Calendars' })
      await legend.getByText(error).waitFor()
      await open('/settings/calendars')
      await page.getByRole('listitem', { name: 'Work' }).getByText(error).waitFor()
      expect(await eventsOn(ada, monday)).toHaveLength(1)
      await api.planner.run()
      expect(await blocksOf(ada, monday)).toMatchObject([{ startAt: on(monday, '11:00') }])
    })
  }

  it('can be hidden and shown, and blocks time while hidden', async ({ ada, site }) => {
    const { api, page, open } = ada
    await createTask(ada, 'Write')
    site.body = fileWith('09:00', '11:00')
    const id = await subscribe(ada, site.url)
    await open(`/calendar?w=${monday.toString()}`)
    const meeting = eventsShown(ada).getByText('Board meeting')
    await meeting.waitFor()
    const legend = page.getByRole('region', { name: 'Calendars' })
    await legend.getByRole('checkbox', { name: 'Show Work' }).uncheck()
    await meeting.waitFor({ state: 'detached' })
    await api.planner.run()
    expect(await blocksOf(ada, monday)).toMatchObject([{ startAt: on(monday, '11:00') }])

    await open('/settings/calendars')
    await page.getByRole('checkbox', { name: 'Show its events' }).check()
    // Leaving the page aborts a request that is being sent.
    await expect.poll(async () => (await api.calendars.get(id)).shown).toBe(true)
    await open(`/calendar?w=${monday.toString()}`)
    await meeting.waitFor()
  })

  it('overlaps a block placed by hand, which gets another time', async ({ ada, site }) => {
    const { api, page, open } = ada
    site.body = fileWith('16:00', '16:30', nextMonday)
    await subscribe(ada, site.url)
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const place = { startAt: on(nextMonday, '16:00'), endAt: on(nextMonday, '17:00') }
    await api.timeBlocks.create({ taskId: task.id, ...place })
    await open(`/calendar?w=${nextMonday.toString()}`)
    await block(page, 'Write').click()
    expect(await isCovered(eventsShown(ada).getByText('Board meeting'))).toBe(false)
    const clash = page.getByRole('region', { name: 'Overlap' })
    await clash.getByText('Overlaps “Board meeting” 16:00–16:30').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await clash.getByRole('button', { name: 'Find another time' }).click()
    await page.getByText('Moved “Write”').waitFor()
    await clash.waitFor({ state: 'detached' })

    const [meeting] = await eventsOn(ada, nextMonday)
    const [moved, ...others] = await blocksOf(ada, nextMonday)
    expect(others).toEqual([])
    expect(moved).toMatchObject({ source: 'manual' })
    expect(moved && meeting && overlaps(moved, meeting)).toBe(false)
    expect(moved && moved.endAt.getTime() - moved.startAt.getTime()).toBe(3_600_000)

    await page.getByRole('button', { name: 'Undo' }).click()
    await clash.waitFor()
    await expect.poll(() => blocksOf(ada, nextMonday)).toMatchObject([place])
  })
})

describe('Today', () => {
  for (const [device, viewport] of [
    ['a desktop', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    it(`lists events and blocks in order of time on ${device}`, async ({
      browser,
      origin,
      database,
      site,
    }) => {
      const zone = zoneAtNoon()
      const ada = await newPerson(browser, origin, { zone, viewport })
      const { api, page, open } = ada
      const inMinutes = (minutes: number) =>
        new Date(Math.floor(Date.now() / 60_000 + minutes) * 60_000)
      site.body = fileOf(
        { from: inMinutes(60), to: inMinutes(90) },
        {
          title: 'Lecture',
          from: inMinutes(180),
          to: inMinutes(240),
          more: ['TRANSP:TRANSPARENT'],
        },
        { title: 'Odd', from: inMinutes(300), to: inMinutes(310), more: ['RRULE:FREQ=SOMETIMES'] },
      )
      const id = await subscribe(ada, site.url)
      await api.timeBlocks.create({
        type: 'event',
        title: 'Lunch',
        startAt: inMinutes(75),
        endAt: inMinutes(105),
      })
      await api.timeBlocks.create({
        type: 'event',
        title: 'Run',
        startAt: inMinutes(120),
        endAt: inMinutes(150),
      })

      await open('/today')
      const agenda = page.getByRole('region', { name: 'Today’s plan' })
      await agenda.getByText('Board meeting', { exact: true }).waitFor()
      const text = await agenda.innerText()
      const titles = ['Board meeting', 'Lunch', 'Run', 'Lecture', 'Odd']
      const places = titles.map((title) => text.search(new RegExp(`^${title}$`, 'm')))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(places).not.toContain(-1)
      await agenda.getByText('Overlaps “Board meeting”').waitFor()
      await agenda.getByText('read: today').waitFor()
      await agenda.getByText('1 event was skipped').click()
      await agenda.getByText('Odd: its rule is not understood').waitFor()
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
      expect(await faultsInBothThemes(page)).toEqual([])

      await query(
        database,
        `update calendars set error = 'The server answered 500',
                fetched_at = now() - interval '25 hours', next_fetch_at = now() + interval '1 day'
          where id = '${id}'`,
      )
      await open('/today')
      const notice = page.getByRole('region', { name: 'Calendars that cannot be read' })
      await notice.getByText('“Work” has not been read since yesterday').waitFor()
      await notice.getByText('The server answered 500').waitFor()
      expect(await faultsInBothThemes(page)).toEqual([])
      await ada.close()
    })
  }
})

/** A time zone in which it is between 12:00 and 13:00: the day has neither just begun nor nearly ended. */
function zoneAtNoon() {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

/** Creates a task of one hour that must be done on Monday. */
const createTask = ({ api }: Person, title: string) =>
  api.tasks.create({
    title,
    estimateMinutes: 60,
    autoSplit: false,
    startAfter: on(monday, '09:00'),
    dueAt: on(monday, '17:00'),
  })

async function placesOf(person: Person) {
  const blocks = await blocksOf(person, monday)
  return blocks
    .map(({ taskId, startAt, endAt }) => ({ taskId, startAt, endAt }))
    .toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
}
