import { faultsInBothThemes } from './axe.ts'
import { allowFaults, describe, expect, it, undo } from './it.ts'

describe('a project', () => {
  it('is created, gets tasks and a status, and is archived', async ({
    ada: { page, api, open },
  }) => {
    await open('/projects')
    await page.getByText('No projects yet').waitFor()
    await page.keyboard.press('n')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Atlas launch')
    await page.getByRole('radio', { name: 'Teal' }).check()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create project' }).click()

    await page.waitForURL('**/projects/*')
    await page.getByLabel('Add a task to this project').fill('Write the brief')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Write the brief' }).waitFor()
    await page.getByLabel('Status').selectOption('In progress')
    await page.getByText('“Atlas launch”: in progress.').waitFor()
    const [project] = await api.projects.list()
    expect(project).toMatchObject({ status: 'in_progress', color: '#1f9d94', _count: { tasks: 1 } })

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.waitForURL('**/projects')
    await page.getByText('No projects yet').waitFor()
    await undo(page, 'Archived “Atlas launch”')
    await page.getByRole('link', { name: 'Atlas launch' }).first().waitFor()
  })

  it('shows progress and planned hours, also as a table', async ({ ada: { page, api, open } }) => {
    const { id } = await api.projects.create({ name: 'Atlas' })
    const task = (title: string) => api.tasks.create({ title, projectId: id, estimateMinutes: 60 })
    const [done] = [await task('One'), await task('Two'), await task('Three')]
    await api.tasks.batch('complete', [done.id])
    await api.planner.run()

    await open(`/projects/${id}`)
    await page.getByText('1 of 3 tasks done').waitFor()
    const bar = page.getByRole('progressbar')
    expect(await bar.getAttribute('aria-valuenow')).toBe('33')
    const figures = page.getByRole('table', { name: /Planned and open hours of Atlas/ })
    await figures.waitFor({ state: 'attached' })
    expect(await figures.getByRole('row').count()).toBe(15)
    expect(await figures.getByRole('row').last().textContent()).toContain('0m')
    expect(await faultsInBothThemes(page)).toEqual([])

    await page.getByRole('checkbox', { name: 'Complete “Two”' }).click()
    await page.getByText('2 of 3 tasks done').waitFor()
  })

  it('keeps typed text while the project changes elsewhere', async ({
    ada: { page, api, open },
  }) => {
    const { id } = await api.projects.create({ name: 'Atlas' })
    await open(`/projects/${id}`)
    const purpose = page.getByLabel('Description')
    await purpose.fill('Mine')
    await api.projects.update(id, { name: 'Atlas II', description: 'Theirs' })
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Atlas II')
    expect(await purpose.inputValue()).toBe('Mine')

    await purpose.blur()
    await expect.poll(async () => (await api.projects.get(id)).description).toBe('Mine')
  })

  it('rolls back if the service refuses, and says so', async ({ ada: { page, api, open } }) => {
    const { id } = await api.projects.create({ name: 'Atlas' })
    await open(`/projects/${id}`)
    await page.route('**/api/projects/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, json: { error: 'Not today' } })
        : route.continue(),
    )
    await page.getByLabel('Status').selectOption('Completed')

    await page.getByText('Not today').waitFor()
    allowFaults(page, /400 .*\/api\/projects/)
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('backlog')
  })

  it('fits a phone', async ({ phone: { page, api, open } }) => {
    const { id } = await api.projects.create({ name: 'Atlas' })
    await api.tasks.create({ title: 'One', projectId: id, estimateMinutes: 60 })
    await open(`/projects/${id}`)
    await page.getByRole('link', { name: 'One' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
