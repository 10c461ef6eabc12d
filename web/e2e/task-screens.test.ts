import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it } from './it.ts'

const hour = 3_600_000
const fromNow = (hours: number) => new Date(Date.now() + hours * hour)

describe('the board', () => {
  it('moves cards by keyboard, by pointer and by menu', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    const status = async () => (await api.tasks.get(id)).status
    await open('/tasks?view=board')
    const card = page.getByRole('group', { name: 'Write' })
    await card.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByRole('region', { name: 'In progress' }).getByText('Write').waitFor()
    await expect.poll(status).toBe('in_progress')
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(status).toBe('completed')
    await page.keyboard.press('Control+z')
    await expect.poll(status).toBe('in_progress')

    await page.getByRole('region', { name: 'In progress' }).getByText('Write').waitFor()
    await page.getByText('Undone').waitFor()
    const from = await card.boundingBox()
    const to = await page.getByRole('region', { name: 'Backlog' }).boundingBox()
    if (!from || !to) throw new Error('The board is not drawn')
    await page.mouse.move(from.x + 30, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(to.x + 80, to.y + 120, { steps: 5 })
    await page.mouse.up()
    await expect.poll(status).toBe('backlog')

    await page.getByRole('button', { name: 'Move “Write”' }).click()
    await page.getByRole('menuitem', { name: 'To do' }).click()
    await expect.poll(status).toBe('todo')
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})

describe('today', () => {
  it('has the current block, the next ones, and due tasks', async ({
    ada: { api, open, page },
  }) => {
    const now = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const due = await api.tasks.create({ title: 'Pay', estimateMinutes: 5, dueAt: fromNow(-1) })
    await api.timeBlocks.create({ taskId: now.id, startAt: fromNow(-0.2), endAt: fromNow(0.5) })
    await open('/today')
    const card = page.getByRole('region', { name: 'Now' })
    await card.getByText('Write').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await card.getByRole('button', { name: 'Start' }).click()
    await card.getByText('In progress').waitFor()
    await card.getByRole('button', { name: 'Done' }).click()
    await card.waitFor({ state: 'detached' })

    await page.getByRole('checkbox', { name: 'Complete “Pay”' }).click()
    await page.getByText('Nothing is due today.').waitFor()
    await expect.poll(async () => (await api.tasks.get(due.id)).status).toBe('completed')
  })

  it('has an empty state, also on a phone', async ({ phone: { open, page } }) => {
    await open('/today')
    await page.getByText('A clear day').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})

describe('the archive', () => {
  it('restores a task', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Old idea' })
    await api.tasks.delete(id)
    await open('/archive')
    await page.getByText('Old idea').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()

    await page.getByText('The archive is empty').waitFor()
    await expect.poll(async () => (await api.tasks.get(id)).status).toBe('todo')
  })
})

describe('a space', () => {
  it('has its tasks and projects', async ({ ada: { api, open, page } }) => {
    const space = await api.spaces.create({ name: 'Studio', color: '#14B8A6' })
    await api.projects.create({ name: 'Season two', spaceId: space.id })
    await api.tasks.create({ title: 'Edit', estimateMinutes: 30, spaceId: space.id })
    await api.tasks.create({ title: 'Elsewhere', estimateMinutes: 30 })
    await open(`/spaces/${space.id}`)
    await page.getByRole('row', { name: /Edit/ }).waitFor()
    expect(await page.getByRole('row', { name: /Elsewhere/ }).count()).toBe(0)
    await page.getByRole('navigation', { name: 'Projects' }).getByText('Season two').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
