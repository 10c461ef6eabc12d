// Days that do not go as planned: each test moves the clock of the service and of the page.
import type { Locator } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, drag, on, pointAt, span } from './calendar.ts'
import { type Person } from './it.ts'
import { type Clock, describe, expect, it } from './moved-clock.ts'

const monday = comingMonday()
const tuesday = monday.add({ days: 1 })
const wednesday = monday.add({ days: 2 })

type Given = { minutes: number; due?: Date; from?: Date; priority?: 'high' }

/** Sets the clock to Monday, 8:30, and creates these tasks, each to be done in one block. */
async function startMonday({ api, page }: Person, clock: Clock, tasks: Record<string, Given>) {
  await clock.start(page, on(monday, '08:30'))
  for (const [title, { minutes, due = null, from = null, priority = 'none' }] of Object.entries(
    tasks,
  )) {
    await api.tasks.create({
      title,
      estimateMinutes: minutes,
      autoSplit: false,
      dueAt: due,
      startAfter: from,
      priority,
    })
  }
}

/** Starts Monday with a plan, which the worker renews after every change. */
async function startPlannedMonday(ada: Person, clock: Clock, tasks: Record<string, Given>) {
  await startMonday(ada, clock, tasks)
  await ada.api.planner.run()
  await ada.api.settings.update({ automatic: true })
  await ada.open('/today')
}

/** The blocks as `Write Mon 09:00–11:00`, in order of time, with the status unless it is `scheduled`. */
async function calendarOf(ada: Person) {
  const blocks = await blocksOf(ada, monday)
  return blocks
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
    .map((each) =>
      [each.title, span(each), ...(each.status === 'scheduled' ? [] : [each.status])].join(' '),
    )
}

const expectCalendar = (ada: Person, lines: string[]) =>
  expect.poll(() => calendarOf(ada)).toEqual(lines)

const current = ({ page }: Person) => page.getByRole('region', { name: 'Now' })
const unfinished = ({ page }: Person) => page.getByRole('region', { name: 'Unfinished' })
const notice = ({ page }: Person) => page.getByRole('region', { name: 'Changes to your plan' })
const plan = ({ page }: Person) => page.getByRole('region', { name: 'Today’s plan' })

/** What sticks out of the card, or has no room in it. */
const faultsOfLayout = (card: Locator) =>
  card.evaluate((section) => {
    const { left, right } = section.getBoundingClientRect()
    return [...section.querySelectorAll('li > *')]
      .filter((part) => {
        const box = part.getBoundingClientRect()
        return box.width < 40 || box.left < left || box.right > right
      })
      .map(({ textContent }) => textContent)
  })

const report = { 'Write the report': { minutes: 120, due: on(monday, '12:00') } }
const budget = { 'Review the budget': { minutes: 60, due: on(tuesday, '12:00') } }
const call = { 'Call Mei': { minutes: 60 } }

describe('the next morning', () => {
  it('shows the missed blocks, which are planned again, and what has changed', async ({
    ada,
    clock,
  }) => {
    const { api, page } = ada
    const trip = { 'Plan the trip': { minutes: 60, from: on(tuesday, '09:00') } }
    const budget = { 'Review the budget': { minutes: 60, due: on(tuesday, '10:00') } }
    await startMonday(ada, clock, { ...report, ...budget, ...call, ...trip })
    await ada.open('/calendar')
    await page.locator('[data-task]', { hasText: 'Call Mei' }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Apply plan' }).click()
    await page.getByText('Plan applied.').waitFor()
    await api.settings.update({ automatic: true })
    await expectCalendar(ada, [
      'Write the report Mon 09:00–11:00',
      'Review the budget Mon 11:00–12:00',
      'Call Mei Mon 12:00–13:00',
      'Plan the trip Tue 09:00–10:00',
    ])

    await clock.moveTo(page, on(monday, '09:00'))
    await ada.open('/today')
    await page.getByText('3 blocks to go, 4h of work, done by 13:00, 1 due.').waitFor()
    await current(ada).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Complete task' }).click()
    await page.getByText('2 blocks to go, 2h of work, done by 13:00.').waitFor()

    await clock.moveTo(page, on(tuesday, '08:30'))
    await unfinished(ada).getByText('2 unfinished').waitFor()
    await unfinished(ada).getByText('11:00–12:00 · 1h · now planned for today 9:00').waitFor()
    await notice(ada).getByText('Today 8:30: 1 moved').waitFor()
    await notice(ada).getByText('Plan the trip').waitFor()
    await notice(ada).getByText('Today 9:00 → Today 11:00').waitFor()
    await page.getByText('3 blocks to go, 3h of work, done by 12:00, 1 due.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await expectCalendar(ada, [
      'Write the report Mon 09:00–11:00 completed',
      'Review the budget Tue 09:00–10:00',
      'Call Mei Tue 10:00–11:00',
      'Plan the trip Tue 11:00–12:00',
    ])

    await notice(ada).getByRole('link', { name: 'Details' }).click()
    await page.getByRole('complementary', { name: 'Plan' }).getByText('The plan').waitFor()
    await page.goBack()
    await notice(ada).getByRole('button', { name: 'Looks good' }).click()
    await notice(ada).waitFor({ state: 'detached' })
    await unfinished(ada).getByRole('button', { name: 'OK' }).click()
    await unfinished(ada).waitFor({ state: 'detached' })
    // The card is removed before the service has answered, and reloading would cancel the request.
    await expect.poll(() => api.timeBlocks.missed()).toEqual([])
    await ada.open('/today')
    await plan(ada).waitFor()
    expect(await notice(ada).count()).toBe(0)
    expect(await unfinished(ada).count()).toBe(0)
  })
})

describe('a plan with late tasks', () => {
  const names = ['Prepare the slides for the demo at Acme', 'Answer the auditors']
  const late = { minutes: 180, due: on(monday, '10:00') }

  it('names each of them, once', ({ ada, clock }) => expectNames(ada, clock))
  it('names each of them, once, on a phone', ({ phone, clock }) => expectNames(phone, clock))

  async function expectNames(person: Person, clock: Clock) {
    const { api, page } = person
    await startPlannedMonday(person, clock, call)
    for (const title of names) {
      await api.tasks.create({ title, estimateMinutes: late.minutes, dueAt: late.due })
    }
    await notice(person).getByText('2 late').waitFor()
    for (const name of names) await notice(person).getByText(name).first().waitFor()
    expect(await faultsOfLayout(notice(person))).toEqual([])
    expect(await faultsInBothThemes(page)).toEqual([])

    await api.tasks.create({ title: 'Sort photos', estimateMinutes: 60 })
    await notice(person).getByText('Sort photos').first().waitFor()
    expect(await notice(person).getByText('late').count()).toBe(0)
  }
})

describe('a block', () => {
  it('that is done early frees time for later work', async ({ ada, clock }) => {
    const { page } = ada
    const high = { minutes: 180, priority: 'high' } as const
    await startPlannedMonday(ada, clock, {
      ...report,
      'Design the form': high,
      'Test the form': high,
      'Publish the form': { minutes: 60, priority: 'high' },
    })
    await clock.moveTo(page, on(monday, '09:42'))
    await current(ada).getByRole('button', { name: 'Done' }).click()

    await page.getByText('That was the last session of “Write the report”.').waitFor()
    await expectCalendar(ada, [
      'Write the report Mon 09:00–11:00 completed',
      'Publish the form Mon 09:45–10:45',
      'Design the form Mon 11:00–14:00',
      'Test the form Mon 14:00–17:00',
    ])
    await notice(ada).getByText('Tomorrow 9:00 → Today 9:45').waitFor()
  })

  it('that is started early begins now, and the rest after a stop is planned again', async ({
    ada,
    clock,
  }) => {
    const { api, page } = ada
    await startPlannedMonday(ada, clock, { ...report, ...budget, ...call })
    await page.getByRole('button', { name: 'Start “Call Mei” now' }).click()
    await current(ada).getByText('In progress · 8:30–9:30').waitFor()
    await notice(ada).getByText('Review the budget').waitFor()
    await expectCalendar(ada, [
      'Call Mei Mon 08:30–09:30 in_progress',
      'Write the report Mon 09:30–11:30',
      'Review the budget Mon 11:30–12:30',
    ])

    await clock.moveTo(page, on(monday, '09:00'))
    await current(ada).getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/Stopped “Call Mei”. \d+m left, which will be rescheduled./).waitFor()
    await expectCalendar(ada, [
      'Call Mei Mon 08:30–09:00 completed',
      'Write the report Mon 09:30–11:30',
      'Review the budget Mon 11:30–12:30',
      'Call Mei Mon 12:30–13:00',
    ])
    const { data } = await api.tasks.list()
    expect(data.find(({ title }) => title === 'Call Mei')).toMatchObject({ actualMinutes: 30 })
  })
})

describe('a change at short notice', () => {
  it('plans an urgent task at 14:03 for today, after the block that is under way', async ({
    ada,
    clock,
  }) => {
    const { page } = ada
    await startPlannedMonday(ada, clock, {
      'Write the report': { minutes: 300, due: on(monday, '14:00') },
      'Review the budget': { minutes: 60, due: on(tuesday, '12:00') },
      'Call Mei': { minutes: 60 },
      'Sort photos': { minutes: 60 },
    })
    await clock.moveTo(page, on(monday, '13:58'))
    await current(ada).getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Complete task' }).click()
    await clock.moveTo(page, on(monday, '14:03'))
    await page.keyboard.press('q')
    await page.getByRole('combobox', { name: 'Task' }).fill('Fix the outage today 5pm 45m !urgent')
    await page.keyboard.press('Enter')

    await plan(ada).getByText('Fix the outage').waitFor()
    await expectCalendar(ada, [
      'Write the report Mon 09:00–14:00 completed',
      'Review the budget Mon 14:00–15:00',
      'Fix the outage Mon 15:00–15:45',
      'Sort photos Mon 16:00–17:00',
      'Call Mei Tue 09:00–10:00',
    ])
    await notice(ada).getByText('Today 15:00 → Tomorrow 9:00').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('removes the blocks of a deleted task at once, and undo restores them', async ({
    ada,
    clock,
  }) => {
    const { page } = ada
    await startMonday(ada, clock, { ...report, ...budget, ...call })
    await ada.api.planner.run()
    await ada.open('/today')
    const before = await calendarOf(ada)
    await plan(ada).getByRole('button', { name: 'Review the budget', exact: true }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()

    await plan(ada).getByText('Review the budget').waitFor({ state: 'detached' })
    await page.getByText('2 blocks to go, 3h of work, done by 13:00, 1 due.').waitFor()
    await expectCalendar(ada, [before[0]!, before[2]!])
    // Undo by keyboard, because the toast may have disappeared meanwhile.
    await page.keyboard.press('Control+z')
    await plan(ada).getByText('Review the budget').waitFor()
    await expectCalendar(ada, before)
  })

  it('moves the blocks of a new holiday to other days, in time', async ({ ada, clock }) => {
    const { page } = ada
    await startPlannedMonday(ada, clock, {
      'Write the report': { minutes: 420, due: on(monday, '17:00') },
      'Review the budget': { minutes: 300, due: on(tuesday, '17:00') },
      'Sort photos': { minutes: 180, priority: 'high' },
      'Call Mei': { minutes: 180, due: on(wednesday, '17:00') },
    })
    await expectCalendar(ada, [
      'Write the report Mon 09:00–16:00',
      'Review the budget Tue 09:00–14:00',
      'Sort photos Tue 14:00–17:00',
      'Call Mei Wed 09:00–12:00',
    ])
    await ada.open('/calendar')
    await block(page, 'Call Mei').waitFor()
    const from = await pointAt(page, 2, '08:00')
    await drag(page, { ...from, y: from.y + 2 }, { x: from.x, y: from.y + 54 * 9 })
    await page.getByRole('combobox', { name: 'Task' }).fill('Holiday')
    await page.keyboard.press('Enter')

    await block(page, 'Holiday').waitFor()
    await expectCalendar(ada, [
      'Write the report Mon 09:00–16:00',
      'Review the budget Tue 09:00–14:00',
      'Call Mei Tue 14:00–17:00',
      'Holiday Wed 08:00–17:00',
      'Sort photos Thu 09:00–12:00',
    ])
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
