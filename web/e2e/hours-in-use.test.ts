// In which hours tasks are planned, and which hours the calendar, Today and Insight show as open.
import type { Locator, Page } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { blocksOf, comingMonday, on, span } from './calendar.ts'
import type { Person } from './it.ts'
import { describe, expect, it } from './moved-clock.ts'

const monday = comingMonday()
const office = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
const evenings = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '18:00', end: '22:00' }]

/** Creates the schedule in the settings, and replaces its hours by every evening from 18:00 to 22:00. */
async function setEvenings({ page, open }: Person) {
  const cell = (name: string) => page.getByRole('gridcell', { name })
  async function paint(from: string, to: string) {
    await cell(from).hover()
    await page.mouse.down()
    await cell(to).hover()
    await page.mouse.up()
  }
  await open('/settings/schedule')
  await page.getByRole('button', { name: 'Set working hours' }).click()
  await page.getByText('Tasks are planned in “Working hours” from now on.').waitFor()
  await paint('Mon 18:00', 'Sun 21:30')
  await page.getByText('68h a week').waitFor()
  await paint('Mon 09:00', 'Fri 16:30')
  await page.getByText('28h a week').waitFor()
}

/** Removes all that earlier pages have loaded. */
const forget = (page: Page) =>
  page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name ?? '')
  })

/** What the open hours depend on. */
const sources = ['schedule-preferences', 'default-schedules', 'settings', 'projects', 'tasks']

/** Opens a page afresh, and waits for all that the open hours depend on. */
async function openAfresh({ page, open }: Person, path: string) {
  await forget(page)
  const answers = sources.map((name) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === `/api/${name}`),
  )
  await open(path)
  await Promise.all(answers)
  // The next frame shows what was loaded.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}

async function add(line: Locator, text: string) {
  await line.fill(text)
  await line.press('Enter')
}

const inDialog = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Task' })

describe('working hours that are set after the first steps were skipped', () => {
  it('are those of every new task, whichever page it is added on', async ({ ada, clock }) => {
    const { api, open, page } = ada
    await clock.start(page, on(monday, '08:00'))
    await page.goto('/welcome')
    for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Skip' }).click()
    await page.waitForURL('**/calendar')
    await setEvenings(ada)
    expect(await faultsInBothThemes(page)).toEqual([])
    const project = await api.projects.create({ name: 'Website' })
    const { id: parent } = await api.tasks.create({ title: 'Move house' })

    for (const path of ['/today', '/tasks', '/calendar', '/projects', '/insight']) {
      await forget(page)
      await open(path)
      await page.keyboard.press('q')
      await add(inDialog(page), `From ${path} 20m`)
      await page.getByText(`Added “From ${path}”.`).waitFor()
    }
    await forget(page)
    await open('/tasks')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Add a task' }).click()
    await add(inDialog(page), 'From the palette 20m')
    await page.getByText('Added “From the palette”.').waitFor()
    await forget(page)
    await open(`/projects/${project.id}`)
    await add(
      page.getByRole('combobox', { name: 'Add a task to this project' }),
      'From its project 20m',
    )
    await page.getByText('Added “From its project”.').waitFor()
    await forget(page)
    await open(`/tasks/${parent}`)
    await add(page.getByRole('combobox', { name: 'Add a subtask' }), 'From its parent 20m')
    await page.getByText('Added “From its parent”.').waitFor()
    await forget(page)
    await open('/tasks')
    await page.keyboard.press('q')
    await add(inDialog(page), 'Every day 20m every day')
    await page.getByText('Added “Every day”').waitFor()

    await api.planner.run()
    const blocks = await blocksOf(ada, monday)
    const titles = new Set(blocks.map(({ title }) => title))
    expect(titles.size).toBe(9)
    for (const each of blocks) {
      expect(span(each).slice(4), each.title).toMatch(/^(1[89]|2[01]):\d\d–(1[89]|2[012]):\d\d$/)
    }

    await openAfresh(ada, '/today')
    await page.getByText('of the day is still free.').waitFor()
    await openAfresh(ada, '/calendar')
    await page.locator('[data-block]').first().waitFor()
    await page.locator('.week-scroll').evaluate((grid) => void (grid.scrollTop = 1e6))
  })
})

/** What the pages say about hours and capacity. */
async function readNumbers(ada: Person) {
  const { page } = ada
  await openAfresh(ada, '/today')
  const capacity = page.getByRole('region', { name: 'Capacity' })
  await capacity.getByText(/still free|full|over|more than|No working hours/).waitFor()
  await page.getByRole('region', { name: 'Today’s plan' }).waitFor()
  const today = await capacity.innerText()

  await openAfresh(ada, '/calendar')
  await page.locator('[data-block]').first().waitFor()
  const meters = page.getByRole('meter')
  const days = await meters.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
  const closed = await page
    .locator('.day-column')
    .evaluateAll((columns) =>
      columns.map((column) =>
        [...column.querySelectorAll<HTMLElement>('.outside')].map(
          ({ style }) => `${style.top} ${style.height}`,
        ),
      ),
    )

  await openAfresh(ada, '/insight')
  const figures = page.getByRole('region', { name: 'The next 14 days' })
  await page
    .getByRole('table', { name: 'Planned against working time, day by day' })
    .waitFor({ state: 'attached' })
  const insight = await figures.innerText()
  const table = await figures.getByRole('table').innerText()
  return { today, days, closed, insight, table }
}

describe('open hours', () => {
  it('are not changed by a schedule that nothing uses', async ({ ada, clock }) => {
    const { api, page } = ada
    await clock.start(page, on(monday, '08:00'))
    await api.tasks.create({ title: 'Write', estimateMinutes: 120, maxSessionMinutes: 120 })
    await api.planner.run()
    await page.goto('/today')
    const before = await readNumbers(ada)
    expect(before.today).toContain('2h of 8h left')
    expect(before.days[0]).toBe('2h planned of 8h')
    expect(before.insight).toMatch(/Working time\s+80h/)

    await api.schedulePreferences.create({ name: 'Mornings', windows: morning, priority: 100 })
    await api.schedulePreferences.create({ name: 'Evenings', windows: evenings })
    expect(await readNumbers(ada)).toEqual(before)
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('include a schedule while an open task uses it', async ({ ada, clock }) => {
    const { api, page } = ada
    await clock.start(page, on(monday, '08:00'))
    const own = await api.schedulePreferences.create({ name: 'Evenings', windows: evenings })
    const task = await api.tasks.create({
      title: 'Practise',
      estimateMinutes: 60,
      schedulePreferenceId: own.id,
    })
    await api.planner.run()
    await page.goto('/today')
    const before = await readNumbers(ada)
    expect(before.today).toContain('1h of 12h left')
    expect(before.days[0]).toBe('1h planned of 12h')
    expect(before.insight).toMatch(/Working time\s+136h/)

    await api.tasks.update(task.id, { status: 'completed' })
    await openAfresh(ada, '/calendar')
    await page.getByRole('meter', { name: 'planned of 8h' }).first().waitFor()
  })

  it('leave out lunch, as the planner does', async ({ ada, clock }) => {
    const { api, page } = ada
    await clock.start(page, on(monday, '08:00'))
    const hours = await api.schedulePreferences.create({ name: 'Office', windows: office })
    await api.settings.update({
      schedulePreferenceId: hours.id,
      planning: { lunch: { from: '12:00', to: '14:00', minutes: 60 } },
    })
    await api.tasks.create({
      title: 'Write',
      estimateMinutes: 420,
      minSessionMinutes: 60,
      maxSessionMinutes: 480,
      cooldownMinutes: 0,
    })
    await api.planner.run()
    await page.goto('/today')
    const numbers = await readNumbers(ada)
    expect(numbers.today).toContain('7h of 7h left')
    expect(numbers.today).toContain('The rest of the day is full.')
    expect(numbers.days[0]).toBe('7h planned of 7h')
    expect(numbers.insight).toMatch(/Working time\s+70h/)

    // Lunch leaves two stretches of three and a half hours.
    await api.tasks.create({ title: 'Read', estimateMinutes: 210, autoSplit: false })
    await api.tasks.create({ title: 'Think', estimateMinutes: 240, autoSplit: false })
    await openAfresh(ada, '/calendar')
    await place(page, 'Think')
    await page.getByText('There is no free time for it in the next four weeks.').waitFor()
    await place(page, 'Read')
    await expect
      .poll(async () =>
        (await blocksOf(ada, monday))
          .filter((each) => each.title === 'Read')
          .map((each) => span(each)),
      )
      .toEqual(['Tue 09:00–12:30'])
  })
})

const morning = [{ day: [1, 2], start: '09:00', end: '12:00' }]

async function place(page: Page, title: string) {
  await page.locator('[data-task]', { hasText: title }).hover()
  await page.getByRole('button', { name: `Place “${title}”` }).click()
}
