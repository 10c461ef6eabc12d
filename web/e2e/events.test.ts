// Events: appointments without a task, which the planner plans around.
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, drag, on, pointAt, span } from './calendar.ts'
import { describe, expect, it, undo } from './it.ts'

describe('an event on the calendar', () => {
  it('is added where the pointer was dragged, renamed and deleted', async ({ ada }) => {
    const { api, page } = ada
    const monday = comingMonday()
    await ada.open(`/calendar?w=${monday.toString()}`)
    const from = await pointAt(page, 1, '16:00')
    await drag(page, { ...from, y: from.y + 2 }, { x: from.x, y: from.y + 54 })
    const dialog = page.getByRole('dialog', { name: 'Add to the calendar' })
    await dialog.getByRole('combobox').fill('Dentist 2h')
    await dialog.getByRole('button', { name: 'Event' }).click()
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()

    await block(page, 'Dentist 2h').click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByLabel('Title').fill('Dentist')
    await panel.getByLabel('Title').press('Enter')
    await page.getByText('Renamed “Dentist 2h” to “Dentist”.').waitFor()
    await expect
      .poll(async () => (await blocksOf(ada, monday)).map((each) => [each.title, span(each)]))
      .toEqual([['Dentist', 'Tue 16:00–17:00']])
    expect((await api.tasks.list()).data).toEqual([])
    expect(await faultsInBothThemes(page)).toEqual([])

    await panel.getByRole('button', { name: 'Delete' }).click()
    await block(page, 'Dentist').waitFor({ state: 'detached' })
    await undo(page, 'Deleted “Dentist”.')
    await block(page, 'Dentist').waitFor()
  })

  it('stays open with the typed text when the service answers', async ({ ada }) => {
    const { page } = ada
    const monday = comingMonday()
    await ada.open(`/calendar?w=${monday.toString()}`)
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/time-blocks?*', async (route) => {
      if (route.request().method() === 'POST') await answer.promise
      await route.continue()
    })
    const from = await pointAt(page, 1, '16:00')
    await drag(page, { ...from, y: from.y + 2 }, { x: from.x, y: from.y + 54 })
    const dialog = page.getByRole('dialog', { name: 'Add to the calendar' })
    await dialog.getByRole('combobox').fill('Dentist 2h')
    await dialog.getByRole('button', { name: 'Event' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await block(page, 'Dentist 2h').click()
    const title = page.getByRole('complementary', { name: 'Event' }).getByLabel('Title')
    await title.fill('Dentist')

    const answered = page.waitForResponse((each) => each.request().method() === 'POST')
    answer.resolve()
    await answered
    await expect.poll(() => blocksOf(ada, monday)).toHaveLength(1)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await title.inputValue()).toBe('Dentist')
    await title.press('Enter')

    await expect
      .poll(async () => (await blocksOf(ada, monday)).map((each) => each.title))
      .toEqual(['Dentist'])
  })

  it('occupies its time: the planner puts work after it', async ({ ada }) => {
    const { api } = ada
    const monday = comingMonday()
    const event = { startAt: on(monday, '09:00'), endAt: on(monday, '13:00') }
    await api.timeBlocks.create({ type: 'event', title: 'Workshop', ...event })
    await api.tasks.create({
      title: 'Write',
      estimateMinutes: 60,
      startAfter: on(monday, '00:00'),
      dueAt: on(monday, '23:00'),
      autoSchedule: true,
    })
    await api.planner.run()

    expect((await blocksOf(ada, monday)).map((each) => [each.title, span(each)])).toEqual([
      ['Workshop', 'Mon 09:00–13:00'],
      ['Write', 'Mon 13:00–14:00'],
    ])
  })
})

describe('quick add', () => {
  it('creates an event from a line with a fixed time', async ({ ada }) => {
    const { api, page } = ada
    await ada.open('/tasks')
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Add a task' })
    await dialog.getByRole('combobox').fill('Dentist tomorrow 4pm-4:30pm')
    await dialog.getByRole('button', { name: 'Add event' }).click()

    await page.getByText('Added “Dentist” to the calendar.').waitFor()
    expect((await api.tasks.list()).data).toEqual([])
    const from = new Date()
    const to = new Date(from.getTime() + 3 * 86_400_000)
    expect((await api.timeBlocks.list({ from, to })).map((each) => span(each).slice(4))).toEqual([
      '16:00–16:30',
    ])
  })

  it('creates a task instead if the line has a priority', async ({ ada }) => {
    const { api, page } = ada
    await ada.open('/tasks')
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Add a task' })
    await dialog.getByRole('combobox').fill('Dentist tomorrow 4pm-4:30pm !high')
    await dialog.getByRole('button', { name: 'Add task' }).click()

    await page.getByText('Added “Dentist”.').waitFor()
    expect((await api.tasks.list()).data).toMatchObject([
      { title: 'Dentist', priority: 'high', estimateMinutes: 30 },
    ])
  })
})
