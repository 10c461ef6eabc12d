import type { Page } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it, type Person, undo } from './it.ts'

const repeats = (page: Page) => page.getByRole('button', { name: /Change repeats/ })
const dueDays = async ({ api }: Person) =>
  (await api.tasks.list({ limit: 100 })).data
    .map(({ dueAt }) => dueAt!.getTime())
    .toSorted((a, b) => a - b)

/** Creates a task that repeats every Friday, and opens the page of its first occurrence. */
async function openWeekly(ada: Person) {
  await ada.api.recurrences.create({
    kind: 'calendar',
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    startsOn: '2026-01-01',
    task: { title: 'Report' },
  })
  const { data } = await ada.api.tasks.list()
  const [first] = data.toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt))
  await ada.open(`/tasks/${first!.id}`)
  await repeats(ada.page).getByText('Every Friday').waitFor()
  return first!
}

describe('a task that repeats', () => {
  it('is created by quick add, shows what is coming, and is undone', async ({ ada }) => {
    const { api, open, page } = ada
    await open('/tasks')
    await page.keyboard.press('q')
    const line = page.getByRole('dialog').getByRole('combobox', { name: 'Task' })
    await line.fill('Water the plants every day 6pm 15m')
    await page.getByRole('list', { name: 'Recognized' }).getByText('Repeats').waitFor()
    await page.getByText('Title Water the plants', { exact: true }).waitFor()
    await line.press('Enter')

    await page.getByText('Added “Water the plants”, every day.').waitFor()
    await expect.poll(async () => (await api.tasks.list()).pagination.total).toBeGreaterThan(14)
    await page.getByText('Water the plants').first().waitFor()
    await undo(page, 'Water the plants')
    await expect.poll(async () => (await api.tasks.list()).pagination.total).toBe(0)
    expect(await api.recurrences.list()).toEqual([])
  })

  it('is made from a task by a preset, and the task stays after undo', async ({ ada }) => {
    const { api, open, page } = ada
    const { id } = await api.tasks.create({ title: 'Call', dueAt: '2027-03-05T10:00:00Z' })
    await open(`/tasks/${id}`)
    await repeats(page).click()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('option', { name: 'Every Friday' }).click()

    await page.getByText('“Call” repeats every Friday.').waitFor()
    await repeats(page).getByText('Every Friday').waitFor()
    await undo(page, 'repeats every Friday')
    await repeats(page).getByText('Never').waitFor()
    expect((await api.tasks.list()).data).toMatchObject([{ id }])
  })

  it('shows the coming dates while its rule is chosen', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Rent', dueAt: '2027-01-30T10:00:00Z' })
    await open(`/tasks/${id}`)
    await repeats(page).click()
    await page.getByRole('option', { name: 'Custom…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repeat “Rent”' })
    const coming = dialog.getByRole('region', { name: 'Upcoming dates' })
    await coming.getByText('Repeats every Saturday').waitFor()
    await dialog.getByLabel('Unit').selectOption('MONTHLY')
    await coming.getByText('28 Feb').waitFor()
    await dialog.getByLabel('On', { exact: true }).selectOption('weekday')
    await coming.getByText('last Saturday').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'After it is done' }).click()
    await dialog.getByLabel('This long after the last one').fill('2')
    await coming.getByText('2 months after').waitFor()
    await dialog.getByRole('button', { name: 'Repeat', exact: true }).click()

    await dialog.waitFor({ state: 'hidden' })
    expect(await api.recurrences.list()).toMatchObject([
      { kind: 'completion', rule: 'FREQ=MONTHLY;INTERVAL=2', startsOn: '2027-01-30' },
    ])
  })

  it('skips a date, and restores it', async ({ ada }) => {
    const { page } = ada
    await openWeekly(ada)
    const before = await dueDays(ada)
    await repeats(page).click()
    const dialog = page.getByRole('dialog', { name: 'Report' })
    await dialog.getByText('0 done · 0 skipped · 0 missed').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog
      .getByRole('button', { name: /^Skip / })
      .nth(1)
      .click()
    await dialog.getByText('1 skipped').waitFor()
    await expect.poll(async () => (await dueDays(ada)).length).toBeLessThan(before.length)
    await dialog.getByRole('button', { name: /^Do not skip / }).click()
    await expect.poll(() => dueDays(ada)).toEqual(before)
  })

  it('opens its series, even if pressed before it is loaded', async ({ ada }) => {
    const { open, page } = ada
    const first = await openWeekly(ada)
    const released = Promise.withResolvers<void>()
    await page.route(`**/api/tasks/${first.id}/recurrence`, async (route) => {
      await released.promise
      await route.continue()
    })
    await open('/calendar')
    await open(`/tasks/${first.id}`)
    await repeats(page).getByText('…').waitFor()
    await repeats(page).click()
    released.resolve()
    await page.getByRole('button', { name: 'Change…' }).waitFor()
  })

  it('opens its series only when the dates are loaded, so that no button moves', async ({
    ada,
  }) => {
    const { page } = ada
    await openWeekly(ada)
    const released = Promise.withResolvers<void>()
    await page.route('**/api/recurrences/*/occurrences?*', async (route) => {
      await released.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/recurrences/*/occurrences?*')
    await repeats(page).click()
    await asked
    const dialog = page.getByRole('dialog', { name: 'Report' })
    expect(await dialog.count()).toBe(0)
    released.resolve()
    await dialog.getByText('0 done · 0 skipped · 0 missed').waitFor()
  })

  it('changes from one date on, and is undone', async ({ ada }) => {
    const { api, open, page } = ada
    await openWeekly(ada)
    const before = await dueDays(ada)
    const { data } = await api.tasks.list()
    const second = data.toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt))[1]!
    await open(`/tasks/${second.id}`)
    await repeats(page).click()
    await page.getByRole('button', { name: 'Change…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repeat “Report”' })
    await dialog.getByRole('button', { name: 'Friday' }).click()
    await dialog.getByRole('button', { name: 'Monday' }).click()
    await dialog.getByText('Repeats every Monday').waitFor()
    await dialog.getByRole('button', { name: 'Change from this one on' }).click()

    await page.getByText('From now on, “Report” repeats every Monday.').waitFor()
    expect(await api.recurrences.list()).toMatchObject([
      { rule: 'FREQ=WEEKLY;BYDAY=FR' },
      { rule: 'FREQ=WEEKLY;BYDAY=MO' },
    ])
    await undo(page, 'From now on')
    await expect.poll(async () => (await api.recurrences.list()).length).toBe(1)
    await expect.poll(() => dueDays(ada)).toEqual(before)
  })

  it('is paused, stopped after one occurrence, and deleted', async ({ ada }) => {
    const { api, page } = ada
    const first = await openWeekly(ada)
    await repeats(page).click()
    const dialog = page.getByRole('dialog', { name: 'Report' })
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('Paused').waitFor()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('button', { name: 'Pause' }).waitFor()
    await dialog.getByRole('button', { name: 'Stop after this one' }).click()
    await page.getByText('“Report” no longer repeats.').waitFor()
    await expect
      .poll(async () => (await api.tasks.list()).data.map(({ id }) => id))
      .toEqual([first.id])
    await undo(page, 'no longer repeats')
    await expect.poll(async () => (await api.tasks.list()).data.length).toBeGreaterThan(1)
    await repeats(page).click()
    await dialog.getByRole('button', { name: 'Delete all' }).click()
    await expect.poll(() => api.recurrences.list()).toEqual([])
    await undo(page, 'Deleted “Report”')
    await expect.poll(async () => (await api.recurrences.list()).length).toBe(1)
  })

  it('creates the next task when it is done', async ({ ada }) => {
    const { api, page } = ada
    await api.recurrences.create({
      kind: 'completion',
      rule: 'FREQ=DAILY;INTERVAL=3',
      startsOn: '2026-01-01',
      task: { title: 'Water' },
    })
    const [task] = (await api.tasks.list()).data
    await ada.open(`/tasks?task=${task!.id}`)
    await repeats(page)
      .getByText(/3 days after/)
      .waitFor()
    await page
      .getByRole('checkbox', { name: /Complete “?Water/ })
      .first()
      .click()

    await expect
      .poll(
        async () => (await api.tasks.list()).data.map(({ id, title }) => [id !== task!.id, title]),
        {
          timeout: 40_000,
        },
      )
      .toEqual([[true, 'Water']])
  })
})
