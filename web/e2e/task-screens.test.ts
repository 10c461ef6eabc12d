import { faultsInBothThemes } from './axe.ts'
import { drag, middleOf } from './calendar.ts'
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

  it('neither moves nor opens a card after Escape', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Write' })
    await open('/tasks?view=board')
    const card = page.getByRole('group', { name: 'Write' })
    const from = await middleOf(card)
    const over = await middleOf(page.getByRole('region', { name: 'Backlog' }))
    for (const to of [over, { x: from.x + 20, y: from.y }]) {
      await drag(page, from, to, { drop: false })
      await page.getByText('Write').nth(1).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Write').nth(1).waitFor({ state: 'detached' })
      await page.mouse.up()
    }

    await card.press('Alt+ArrowRight')
    await expect.poll(async () => (await api.tasks.get(id)).status).toBe('in_progress')
    expect(await page.locator('[data-shown]').count()).toBe(0)
  })
})

describe('today', () => {
  it('shows the current block and its actions, and due tasks', async ({
    ada: { api, open, page },
  }) => {
    const now = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const due = await api.tasks.create({ title: 'Pay', estimateMinutes: 5, dueAt: fromNow(-1) })
    await api.timeBlocks.create({ taskId: now.id, startAt: fromNow(-0.2), endAt: fromNow(0.5) })
    await open('/today')
    const card = page.getByRole('region', { name: 'Now' })
    await card.getByText('Write').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await card.getByRole('button', { name: 'Start now' }).click()
    await card.getByText('In progress').waitFor()
    await card.getByRole('button', { name: '+15 min' }).click()
    await page.getByText('Added 15 minutes to “Write”.').waitFor()
    await card.getByRole('button', { name: 'Done' }).click()
    await card.waitFor({ state: 'detached' })
    const toast = page.locator('[data-toast]', { hasText: 'the last session of “Write”' })
    await toast.getByRole('button', { name: 'Complete task' }).click()
    await expect.poll(async () => (await api.tasks.get(now.id)).status).toBe('completed')

    await page.getByRole('checkbox', { name: 'Complete “Pay”' }).click()
    await page.getByText('Nothing is due today.').waitFor()
    await expect.poll(async () => (await api.tasks.get(due.id)).status).toBe('completed')
  })

  it('moves the current block to another time', async ({ ada: { api, open, page } }) => {
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 42 })
    const { id } = await api.timeBlocks.create({
      taskId: task.id,
      startAt: fromNow(-0.2),
      endAt: fromNow(0.5),
    })
    await open('/today')
    const card = page.getByRole('region', { name: 'Now' })
    await card.getByRole('button', { name: 'Another time' }).click()
    await page.getByRole('menuitem', { name: 'Skip today' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByText(/“Write” is now planned for/).waitFor()
    expect(await api.timeBlocks.get(id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'skipped',
    })

    await page.keyboard.press('Control+z')
    await card.waitFor()
    // The block and its task are restored by two requests.
    await expect.poll(() => api.timeBlocks.get(id)).toMatchObject({ status: 'scheduled' })
    await expect.poll(async () => (await api.tasks.get(task.id)).startAfter).toBe(null)
  })

  it('lists unfinished blocks of all days, and reschedules them together', async ({
    ada: { api, open, page },
  }) => {
    const titles = ['Friday’s', 'Yesterday’s', 'Dropped', 'Done before']
    for (const [index, title] of titles.entries()) {
      const { id } = await api.tasks.create({ title, estimateMinutes: 60 })
      const startAt = fromNow(-24 * (index + 1))
      const endAt = new Date(startAt.getTime() + hour)
      await api.timeBlocks.create({ taskId: id, startAt, endAt })
    }
    await open('/today')
    const card = page.getByRole('region', { name: 'Unfinished' })
    await card.getByText('4 unfinished').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    const row = (title: string) => card.getByRole('group', { name: title })
    await row('Dropped').getByRole('button', { name: 'Drop' }).click()
    await row('Done before').getByRole('button', { name: 'Mark done' }).click()
    await card.getByText('2 unfinished').waitFor()
    await card.getByRole('button', { name: 'Reschedule all' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByText('Rescheduled 2 blocks.').waitFor()

    const planned = await api.timeBlocks.list({ from: new Date(), to: fromNow(14 * 24) })
    // Shortly before the working day ends, a task may get two blocks.
    const titlesPlanned = new Set(planned.map(({ title }) => title))
    expect([...titlesPlanned].toSorted()).toEqual(['Friday’s', 'Yesterday’s'])
    await expect.poll(() => api.timeBlocks.missed()).toEqual([])
  })

  it('has an empty state on a phone', async ({ phone: { open, page } }) => {
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
  it('shows its tasks and projects', async ({ ada: { api, open, page } }) => {
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
