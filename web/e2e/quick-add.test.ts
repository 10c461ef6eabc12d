// Every field where a task can be added understands the same quick-add syntax.
import type { Locator, Page } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, drag, pointAt, span } from './calendar.ts'
import { describe, expect, it, newPerson, undo } from './it.ts'

const field = (page: Page, name = 'Task') => page.getByRole('combobox', { name, exact: true })
const understood = (page: Page) => page.getByRole('list', { name: 'Recognized' })

const paste = (line: Locator, text: string) =>
  line.evaluate((input, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const init = { clipboardData, bubbles: true, cancelable: true }
    input.dispatchEvent(new ClipboardEvent('paste', init))
  }, text)

describe('quick-add words', () => {
  it('are understood in a project, and the task is added to it', async ({ ada }) => {
    const { api, open, page } = ada
    const project = await api.projects.create({ name: 'Website' })
    await open(`/projects/${project.id}`)
    const line = field(page, 'Add a task to this project')
    await line.fill('Write the brief 45m !high @legal')
    await understood(page).getByText('New label').waitFor()
    await page.getByText('Title Write the brief', { exact: true }).waitFor()
    expect(await page.locator('mark').allTextContents()).toEqual(['45m', '!high', '@legal'])
    expect(await faultsInBothThemes(page)).toEqual([])
    await line.press('Enter')

    await page.getByRole('link', { name: 'Write the brief' }).waitFor()
    expect((await api.tasks.list()).data).toMatchObject([
      {
        title: 'Write the brief',
        projectId: project.id,
        estimateMinutes: 45,
        priority: 'high',
        labels: [{ name: 'legal' }],
      },
    ])
  })

  it('are understood in a subtask', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Move house' })
    await open(`/tasks/${id}`)
    const line = field(page, 'Add a subtask')
    await line.fill('Call the landlord 15m')
    expect(await page.locator('mark').allTextContents()).toEqual(['15m'])
    await line.press('Enter')

    await page.getByRole('link', { name: 'Call the landlord' }).waitFor()
    await expect
      .poll(async () => (await api.tasks.get(id)).subtasks)
      .toMatchObject([{ title: 'Call the landlord', estimateMinutes: 15 }])
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('are understood at a time on the calendar', async ({ ada }) => {
    const monday = comingMonday()
    await ada.open(`/calendar?w=${monday.toString()}`)
    const { api, page } = ada
    const from = await pointAt(page, 1, '09:00')
    await drag(page, { ...from, y: from.y + 2 }, { x: from.x, y: from.y + 54 * 1.5 })
    await field(page).fill('Meet Mei 3h !high')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Enter')

    await block(page, 'Meet Mei').waitFor()
    await expect
      .poll(async () => (await blocksOf(ada, monday)).map((each) => span(each)))
      .toEqual(['Tue 09:00–10:30'])
    expect((await api.tasks.list()).data).toMatchObject([
      { title: 'Meet Mei', estimateMinutes: 180, priority: 'high' },
    ])
  })

  it('are understood in the first tasks, and pasted lines keep what is typed in other rows', async ({
    ada,
  }) => {
    const { api, page } = ada
    await page.goto('/welcome')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'When do you work?' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await field(page, 'Task 2').fill('Pay 15m')
    await paste(field(page, 'Task 1'), 'Write 2h !high\n- Call\nAsk')
    expect(await field(page, 'Task 4').inputValue()).toBe('Pay 15m')
    expect(await page.getByLabel('How long task 1 takes').inputValue()).toBe('120')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Plan my week' }).click()

    await page.waitForURL('**/calendar?w=*')
    const tasks = (await api.tasks.list()).data.map(({ title, estimateMinutes, priority }) =>
      [title, estimateMinutes, priority].join(' '),
    )
    expect(tasks.toSorted()).toEqual([
      'Ask 60 none',
      'Call 60 none',
      'Pay 15 none',
      'Write 120 high',
    ])
  })
})

describe('pasting several lines', () => {
  const lines = '- Write the report 2h\n- Call Mei 15m @phone\n\n- Send it @phone !high\n'

  it('asks first, adds all of them, and undoes them together', async ({ ada }) => {
    const { api, open, page } = ada
    const home = await api.spaces.create({ name: 'Home' })
    await open(`/tasks?space=${home.id}`)
    await paste(field(page), lines)
    const question = page.getByRole('dialog', { name: 'Add 3 tasks?' })
    await question.getByText('Takes 15m · New label phone').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await question.getByRole('button', { name: 'Add 3 tasks' }).click()

    await page.getByText('Added 3 tasks.').waitFor()
    const { data } = await api.tasks.list()
    expect(data.map(({ title }) => title).toSorted()).toEqual([
      'Call Mei',
      'Send it',
      'Write the report',
    ])
    expect(data.every(({ spaceId }) => spaceId === home.id)).toBe(true)
    expect(await api.labels.list()).toMatchObject([{ name: 'phone', _count: { tasks: 2 } }])
    expect(await field(page).inputValue()).toBe('')

    await undo(page, 'Added 3 tasks.')
    await expect.poll(async () => (await api.tasks.list()).data).toEqual([])
  })

  it('in the dialog can be cancelled, or adds one task', async ({ ada: { api, open, page } }) => {
    await open('/today')
    await page.keyboard.press('q')
    await paste(field(page), lines)
    const question = page.getByRole('dialog', { name: 'Add 3 tasks?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await field(page).inputValue()).toBe('')

    await paste(field(page), 'Write\nthe report')
    await page.getByRole('button', { name: 'Add as one task' }).click()
    expect(await field(page).inputValue()).toBe('Write the report')
    await field(page).press('Enter')

    await page.getByText('Added “Write the report”.').waitFor()
    expect((await api.tasks.list()).data).toMatchObject([{ title: 'Write the report' }])
  })
})

describe('the first q after the page was loaded', () => {
  // React delays the commit of a dialog that is loaded within 300 ms.
  for (const ms of [50, 600]) {
    it(`loses no letter while the dialog is loaded in ${ms} ms`, async ({ browser, origin }) => {
      // The service worker would answer some requests itself.
      const ada = await newPerson(browser, origin, { serviceWorkers: 'block' })
      const { open, page } = ada
      let requested = 0
      const shown = Promise.withResolvers<void>()
      await page.route('**/quick-add-*.js', async (route) => {
        requested += 1
        await shown.promise
        await new Promise((done) => setTimeout(done, ms))
        await route.continue()
      })
      await open('/tasks')
      await page.keyboard.press('q')
      await page.getByRole('dialog', { name: 'Opening' }).waitFor({ state: 'attached' })
      shown.resolve()
      await page.keyboard.type('Write the design doc', { delay: 60 })

      const line = page.getByRole('dialog', { name: 'Add a task' }).getByRole('combobox')
      await expect.poll(() => line.inputValue()).toBe('Write the design doc')
      expect(requested).toBe(1)
      await ada.close()
    })
  }
})
