import { faultsInBothThemes } from './axe.ts'
import { block, comingMonday, on } from './calendar.ts'
import { allowFaults, describe, expect, it } from './it.ts'
import { storedBlocks } from './stored-text.ts'

const monday = comingMonday()

describe('without a connection', () => {
  it('opens with the last data, says so, and refuses changes', async ({ ada }) => {
    const { api, page, context } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()
    await page.evaluate(async () => Boolean(await navigator.serviceWorker.ready))
    await expect.poll(() => storedBlocks(page)).toContain('Write')

    await context.setOffline(true)
    await page.reload()

    await block(page, 'Write').waitFor()
    await page.getByText(/^Offline\./).waitFor()
    await block(page, 'Write').click()
    await page.keyboard.press('l')
    await page.getByText('You are offline. Changes can’t be saved.').waitFor()
    allowFaults(page, /ERR_INTERNET_DISCONNECTED/)

    await context.setOffline(false)
    await page.getByText(/^Offline\./).waitFor({ state: 'detached' })
    await page.keyboard.press('l')
    await page.getByText('The planner won’t move it.').waitFor()
    const [kept] = await api.timeBlocks.list({ from: startAt, to: on(monday, '11:00') })
    expect(kept?.locked).toBe(true)
  })

  it('shows that the service does not answer, and catches up when it does', async ({ ada }) => {
    const { api, page, context } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const add = (from: string, to: string) =>
      api.timeBlocks.create({ taskId: task.id, startAt: on(monday, from), endAt: on(monday, to) })
    await add('10:00', '11:00')
    await ada.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()
    await expect.poll(() => storedBlocks(page)).toContain('Write')

    await context.route('**/api/**', (route) => route.abort())
    await page.reload()

    await block(page, 'Write').waitFor()
    await page.getByText(/^Can’t reach the server\./).waitFor()
    expect(await block(page, 'Write').count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])

    await add('12:00', '13:00')
    await context.unroute('**/api/**')
    await page.getByText(/^Can’t reach the server\./).waitFor({ state: 'detached' })
    await expect.poll(() => block(page, 'Write').count()).toBe(2)
    allowFaults(page, /ERR_FAILED.*\/api\//)
  })
})
