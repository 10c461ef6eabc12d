import { faultsInBothThemes } from './axe.ts'
import { describe, dismissToasts, expect, it } from './it.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const always = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '09:00', end: '11:00' }]

describe('insight', () => {
  it('shows capacity and plan, and a task at risk with suggestions', async ({
    ada: { page, api, open },
  }) => {
    const hours = await api.schedulePreferences.create({ name: 'Mornings', windows: always })
    const task = await api.tasks.create({
      title: 'Far too much',
      estimateMinutes: 600,
      dueAt: inHours(48),
      schedulePreferenceId: hours.id,
    })
    await api.planner.run()
    await open('/insight')
    const row = page.getByRole('group', { name: 'Suggestions for “Far too much”' })
    await row.waitFor()
    const figures = page.getByRole('table', { name: 'Planned against working time, day by day' })
    await figures.waitFor({ state: 'attached' })
    expect(await figures.getByRole('row').count()).toBe(15)
    expect(await faultsInBothThemes(page)).toEqual([])

    await row.getByRole('button', { name: 'Extend my hours by 1 h' }).click()
    await page.getByText('“Mornings” is one hour longer each day.').waitFor()
    const [longer] = await api.schedulePreferences.list()
    expect(longer?.windows[0]?.end).toBe('12:00')

    await dismissToasts(page)
    await row.getByRole('button', { name: /^Shorten to/ }).click()
    await expect.poll(async () => (await api.tasks.get(task.id)).estimateMinutes).toBeLessThan(600)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await api.tasks.get(task.id)).estimateMinutes).toBe(600)

    await page.getByRole('button', { name: 'Recalculate' }).click()
    await row.getByRole('button', { name: /^Move due date/ }).click()
    await page.getByText('Everything fits and is on time.').waitFor()
    await page.getByRole('button', { name: 'Apply this plan' }).click()
    await page.getByText('Plan applied.').waitFor()
  })

  it('compares estimates with the time of the blocks', async ({ ada: { page, api, open } }) => {
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const block = await api.timeBlocks.create({
      taskId: task.id,
      startAt: inHours(-4),
      endAt: inHours(-2.5),
    })
    await api.timeBlocks.update(block.id, { status: 'completed' })
    await api.tasks.batch('complete', [task.id])
    await open('/insight')
    await page.getByText('Work takes 50% longer than you think.').waitFor()
    const figures = page.getByRole('table', { name: 'Estimate and time taken' })
    await figures.waitFor({ state: 'attached' })
    expect(await figures.textContent()).toContain('1h 30m')
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('fits a phone', async ({ phone: { page, open } }) => {
    await open('/insight')
    await page.getByText('Nothing has been planned yet.').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})

describe('notifications', () => {
  it('are requested, link to their tasks, and are marked read', async ({
    ada: { page, api, open },
  }) => {
    await api.tasks.create({ title: 'Due soon', estimateMinutes: 60, dueAt: inHours(5) })
    await open('/notifications')
    await page.getByRole('button', { name: 'Summarize my day' }).click()
    await page.getByRole('heading', { name: /planned today/ }).waitFor()
    await page.getByRole('button', { name: 'What is at risk?' }).click()
    const warning = page.getByRole('listitem').filter({ hasText: 'not planned' })
    await warning.getByRole('link', { name: 'Due soon' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await warning.getByRole('button', { name: 'Mark as read' }).click()
    const isRead = async () =>
      (await api.notifications.list()).notifications.find(({ type }) => type.startsWith('at_risk'))
        ?.read
    await expect.poll(isRead).toBe(true)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('Marked all as read.').waitFor()
    expect((await api.notifications.list()).unreadCount).toBe(0)
  })

  it('fit a phone', async ({ phone: { page, open } }) => {
    await open('/notifications')
    await page.getByRole('button', { name: 'Summarize my day' }).tap()
    await page.getByRole('heading', { name: /planned today/ }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
