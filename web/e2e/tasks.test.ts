import { faultsInBothThemes } from './axe.ts'
import { middleOf, touchDrag } from './calendar.ts'
import { allowFaults, describe, expect, it } from './it.ts'

describe('quick add', () => {
  it('parses a line as a task, and shows the recognised tokens', async ({
    ada: { api, open, page },
  }) => {
    const work = await api.spaces.create({ name: 'Work' })
    const label = await api.labels.create({ name: 'legal' })
    await open('/today')
    await page.keyboard.press('q')
    const line = page.getByRole('combobox', { name: 'Task' })
    await line.fill('Send the contract tomorrow 5pm ~45m !high #work @legal')
    const chips = page.getByRole('list', { name: 'Recognized' })
    await chips.getByText('Tomorrow 17:00').waitFor()
    // The space is understood once the spaces are loaded.
    await expect.poll(() => chips.getByRole('listitem').count()).toBe(5)
    expect(await faultsInBothThemes(page)).toEqual([])

    await chips.getByRole('button', { name: 'Leave “~45m” in the title' }).click()
    await page.getByRole('button', { name: 'Add task', exact: true }).last().click()

    await page.getByText('Added “Send the contract ~45m”.').waitFor()
    const { data } = await api.tasks.list()
    expect(data).toMatchObject([
      {
        title: 'Send the contract ~45m',
        priority: 'high',
        estimateMinutes: null,
        spaceId: work.id,
        labels: [{ id: label.id }],
      },
    ])
  })

  it('at the top of a list, applies the list’s filters', async ({ ada: { api, open, page } }) => {
    const home = await api.spaces.create({ name: 'Home' })
    await open(`/tasks?space=${home.id}`)
    const line = page.getByRole('combobox', { name: 'Task' })
    await line.fill('Water the plants 15m')
    await line.press('Enter')

    await page.getByRole('row', { name: /Water the plants/ }).waitFor()
    expect((await api.tasks.list()).data).toMatchObject([
      { title: 'Water the plants', estimateMinutes: 15, spaceId: home.id },
    ])
    expect(await line.inputValue()).toBe('')
  })
})

describe('the task list', () => {
  it('can be used by keyboard alone', async ({ ada: { api, open, page } }) => {
    for (const title of ['One', 'Two', 'Three']) {
      await api.tasks.create({ title, estimateMinutes: 30 })
    }
    await open('/tasks?sort=title&group=none')
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('One').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('1')
    await page.getByText('“Three”: urgent.').waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('How long it takes').fill('1h 30m')
    await page.keyboard.press('Enter')
    await page.getByText('“Three” takes 1h 30m.').waitFor()
    await page.keyboard.press('x')
    await row('Three').waitFor({ state: 'detached' })

    const three = async () =>
      (await api.tasks.list({ includeCompleted: true })).data.find(({ title }) => title === 'Three')
    await expect
      .poll(three)
      .toMatchObject({ status: 'completed', priority: 'urgent', estimateMinutes: 90 })
    await page.keyboard.press('Control+z')
    await row('Three').waitFor()
  })

  it('changes many tasks together, and undoes that', async ({ ada: { api, open, page } }) => {
    const home = await api.spaces.create({ name: 'Home' })
    for (const title of ['One', 'Two', 'Three']) {
      await api.tasks.create({ title, estimateMinutes: 30 })
    }
    await open('/tasks')
    await page.getByRole('row', { name: /One/ }).focus()
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: '3 selected' })
    await bar.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await bar.getByRole('button', { name: 'Move' }).click()
    await page.getByRole('combobox', { name: 'Space or project' }).fill('home')
    await page.keyboard.press('Enter')
    await page.getByText('Moved 3 tasks to Home.').waitFor()
    const spaces = async () => (await api.tasks.list()).data.map(({ spaceId }) => spaceId)
    expect(await spaces()).toEqual([home.id, home.id, home.id])

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(spaces).toEqual([null, null, null])

    await bar.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('Nothing to do here').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row', { name: /Two/ }).waitFor()
    await expect
      .poll(async () => (await api.tasks.list()).data.map(({ status }) => status))
      .toEqual(Array(3).fill('todo'))
  })

  it('asks for missing estimates in the row', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Think' })
    await open('/tasks')
    await page.getByText('Needs an estimate').waitFor()
    await page
      .getByRole('group', { name: 'How long “Think” takes' })
      .getByText('30m', { exact: true })
      .click()

    await page.getByText('“Think” takes 30m.').waitFor()
    expect(await api.tasks.get(id)).toMatchObject({ estimateMinutes: 30 })
  })

  it('rolls back if the service refuses', async ({ ada: { api, open, page } }) => {
    await api.tasks.create({ title: 'Stay', estimateMinutes: 30 })
    await open('/tasks')
    await page.getByRole('row', { name: /Stay/ }).waitFor()
    await page.route('**/api/tasks/batch', (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy' } }),
    )
    await page.getByRole('checkbox', { name: 'Complete “Stay”' }).click()

    await page
      .getByText('Something went wrong on the server. Your change may not be saved.')
      .waitFor()
    await page.getByRole('row', { name: /Stay/ }).waitFor()
    allowFaults(page, /503 .*\/api\/tasks\/batch/)
  })

  it('does not show a list as empty if it failed to load, and tries again by itself', async ({
    ada: { api, open, page },
  }) => {
    await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await page.route('**/api/tasks?*', (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy' } }),
    )
    await open('/tasks')
    await page.getByText('The list could not be loaded').waitFor()
    expect(await page.getByText('Nothing to do here').count()).toBe(0)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByText('Part of this page could not be loaded.').waitFor()
    await page.unroute('**/api/tasks?*')

    await page.getByRole('row', { name: /Write/ }).waitFor()
    await page.getByText('Part of this page could not be loaded.').waitFor({ state: 'detached' })
    allowFaults(page, /503 .*\/api\/tasks\?/)
  })

  it('is shown once the service answers again, if it could not be loaded at all', async ({
    ada: { api, open, page },
  }) => {
    await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 503, json: { error: 'Busy' } }),
    )
    await open('/tasks')
    await page.getByText('This page could not be shown').waitFor()
    await page.unroute('**/api/**')

    await page.getByRole('row', { name: /Write/ }).waitFor()
    allowFaults(page, /503 .*\/api\//, /^Refusal: Busy/)
  })

  it('keeps its filters in the URL', async ({ ada: { api, open, page } }) => {
    const label = await api.labels.create({ name: 'errand' })
    await api.tasks.create({ title: 'With', estimateMinutes: 5, labelIds: [label.id] })
    await api.tasks.create({ title: 'Without', estimateMinutes: 5 })
    await open('/tasks')
    await page.getByRole('row', { name: /Without/ }).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Label').selectOption('errand')
    await page.getByRole('row', { name: /Without/ }).waitFor({ state: 'detached' })
    await page.waitForURL(`**/*label=${label.id}*`)
    await page.reload()

    await page.getByRole('row', { name: /With/ }).waitFor()
    expect(await page.getByRole('row', { name: /Without/ }).count()).toBe(0)
  })
})

describe('on a phone', () => {
  it('opens a task on its own page', async ({ phone: { api, open, page } }) => {
    await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await open('/tasks')
    await page.getByRole('row', { name: /Write/ }).click()

    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    expect(page.url()).toContain('/tasks/')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('row', { name: /Write/ }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('selects several tasks: the first by a long press, others by taps', async ({ phone }) => {
    const { api, open, page } = phone
    for (const title of ['Write', 'Read', 'Rest']) await api.tasks.create({ title })
    await open('/tasks')
    const row = (title: string) => page.getByRole('row', { name: title })
    const place = await middleOf(row('Write'))
    await touchDrag(phone, place, place, page.getByRole('toolbar', { name: '1 selected' }))
    await row('Read').tap()
    const bar = page.getByRole('toolbar', { name: '2 selected' })
    await bar.waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await bar.getByRole('button', { name: 'Complete' }).tap()

    await expect
      .poll(async () => (await api.tasks.list({ status: 'completed' })).data.length)
      .toBe(2)
    expect(new URL(page.url()).pathname).toBe('/tasks')
  })
})

describe('keys', () => {
  it('in a sequence do not run the command of the second key', async ({
    ada: { api, open, page },
  }) => {
    const { id } = await api.tasks.create({ title: 'Stay', estimateMinutes: 5 })
    await open('/tasks')
    await page.getByRole('row', { name: /Stay/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForURL('**/archive*')
    expect((await api.tasks.get(id)).status).not.toBe('archived')
  })

  it('go to the focused field', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Done', estimateMinutes: 5 })
    await open(`/tasks/${id}`)
    await page.getByRole('checkbox', { name: 'Complete', exact: true }).click()
    await page.getByText('Completed “Done”.').waitFor()
    const step = page.getByRole('textbox', { name: 'Add a step' })
    await step.fill('Typo')
    await step.press('Control+z')
    await expect.poll(() => step.inputValue()).toBe('')
    expect((await api.tasks.get(id)).status).toBe('completed')
  })
})
