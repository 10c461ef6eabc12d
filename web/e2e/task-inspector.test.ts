import { faultsInBothThemes } from './axe.ts'
import { allowFaults, describe, expect, it } from './it.ts'

describe('the inspector', () => {
  it('changes the fields of a task', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await open(`/tasks?task=${id}`)
    const panel = page.getByRole('complementary', { name: 'Task' })
    await panel.getByRole('textbox', { name: 'Title' }).fill('Write the report')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to “Write the report”.').waitFor()
    await panel.getByRole('textbox', { name: 'Description' }).fill('Two pages.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Changed the description of “Write the report”.').waitFor()
    await panel.getByRole('button', { name: /Change priority/ }).click()
    await page.getByRole('option', { name: 'High' }).click()
    await page.getByText('“Write the report”: high priority.').waitFor()
    await panel.getByRole('button', { name: /Change due/ }).click()
    await page.getByRole('button', { name: /Tomorrow/ }).click()
    await page.getByText('“Write the report”: due tomorrow 17:00.').waitFor()
    await panel.getByRole('button', { name: 'Scheduling' }).click()
    await panel.getByRole('checkbox', { name: 'Freeze' }).check()
    await page.getByText('Changed “Write the report”.').waitFor()

    await expect
      .poll(() => api.tasks.get(id))
      .toMatchObject({
        title: 'Write the report',
        description: 'Two pages.',
        priority: 'high',
        locked: true,
        dueAt: expect.any(Date),
      })
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('discards typed text on Escape', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await api.checklistItems.create({ taskId: id, title: 'Begin' })
    await open(`/tasks/${id}`)
    for (const [name, was] of [
      ['Title', 'Write'],
      ['Step: Begin', 'Begin'],
    ] as const) {
      const field = page.getByRole('textbox', { name, exact: true })
      await field.fill('Something else')
      await field.press('Escape')
      await expect.poll(() => field.inputValue()).toBe(was)
    }
    // Requests are sent in order, so a save would have come before this one.
    await page.getByRole('textbox', { name: 'Add a step' }).fill('Go on')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => {
        const { title, checklistItems } = await api.tasks.get(id)
        return [title, ...checklistItems.map((item) => item.title).toSorted()]
      })
      .toEqual(['Write', 'Begin', 'Go on'])
  })

  it('saves typed text when the page is left through the history', async ({
    ada: { api, open, page },
  }) => {
    const { id } = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    await open(`/tasks/${id}`)
    await page.getByRole('link', { name: 'Tasks', exact: true }).first().click()
    await page.getByRole('row', { name: /Write/ }).waitFor()
    await page.goBack()
    await page.getByRole('textbox', { name: 'Description' }).fill('Two pages.')
    await page.goForward()
    await expect.poll(async () => (await api.tasks.get(id)).description).toBe('Two pages.')
  })

  it('has a checklist and subtasks', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Move house', estimateMinutes: 30 })
    await open(`/tasks/${id}`)
    const step = page.getByRole('textbox', { name: 'Add a step' })
    for (const title of ['Boxes', 'Van']) {
      await step.fill(title)
      await step.press('Enter')
      await page.getByRole('textbox', { name: `Step: ${title}` }).waitFor()
    }
    // A step is rendered anew when the service answers, and loses the focus.
    await expect.poll(() => page.locator('[data-item^="00000000-0000-4000-8000-"]').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Done: Boxes' }).click()
    await page.getByRole('textbox', { name: 'Step: Van' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    const items = async () =>
      (await api.tasks.get(id)).checklistItems
        .toSorted((one, other) => one.sortOrder - other.sortOrder)
        .map(({ title, completed }) => [title, completed])
    await expect.poll(items).toEqual([
      ['Van', false],
      ['Boxes', true],
    ])
    await page.getByRole('button', { name: 'Remove “Boxes”' }).click()
    await expect.poll(items).toEqual([['Van', false]])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(items).toHaveLength(2)

    await page.getByRole('combobox', { name: 'Add a subtask' }).fill('Call the landlord')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Call the landlord' }).waitFor()
    await expect
      .poll(async () => (await api.tasks.get(id)).subtasks)
      .toMatchObject([{ title: 'Call the landlord' }])
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('refuses tasks that block each other', async ({ ada: { api, open, page } }) => {
    const first = await api.tasks.create({ title: 'First', estimateMinutes: 30 })
    const second = await api.tasks.create({ title: 'Second', estimateMinutes: 30 })
    await api.tasks.dependencies.add(second.id, first.id)
    await open(`/tasks/${first.id}`)
    await page.getByRole('link', { name: 'Second' }).waitFor()
    await page.getByRole('button', { name: 'Add a blocking task' }).click()
    await page.getByRole('option', { name: 'Second' }).click()

    await page.getByText('They cannot block each other.').waitFor()
    allowFaults(page, /409 .*\/api\//)
    expect((await api.tasks.dependencies.list(first.id)).blockedBy).toEqual([])
  })

  it('shows the history, and reverts a change', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Draft', estimateMinutes: 30 })
    await api.tasks.update(id, { title: 'Final' })
    await open(`/tasks/${id}`)
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByText('Title: “Draft” → “Final”').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Revert this change' }).click()

    await expect.poll(async () => (await api.tasks.get(id)).title).toBe('Draft')
  })

  it('does not fetch its own change again', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Draft', estimateMinutes: 30 })
    const following = page.waitForResponse('**/api/events')
    await open(`/tasks?task=${id}`)
    await following
    // Events arrive in order: once this one is shown, those from before the page was opened have arrived.
    await api.tasks.create({ title: 'Earlier', estimateMinutes: 30 })
    await page.getByRole('row', { name: /Earlier/ }).waitFor()
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Final')
    const fetched: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET') fetched.push(new URL(request.url()).pathname)
    })
    await title.press('Enter')
    await expect.poll(async () => (await api.tasks.get(id)).title).toBe('Final')

    // Once this one is shown, the event of our own change has arrived as well.
    const later = await api.tasks.create({ title: 'Later', estimateMinutes: 30 })
    await page.getByRole('row', { name: /Later/ }).waitFor()
    expect(fetched).not.toContain(`/api/tasks/${id}`)
    expect(fetched).not.toContain(`/api/tasks/${later.id}`)
  })

  it('shows the dates of a change in its history', async ({ ada: { api, open, page } }) => {
    const { id } = await api.tasks.create({ title: 'Draft', estimateMinutes: 30 })
    await api.tasks.update(id, { dueAt: new Date('2026-11-20T05:00:00Z') })
    await api.tasks.update(id, { dueAt: '' })
    await open(`/tasks/${id}`)
    await page.getByRole('button', { name: 'History' }).click()

    await page.getByText(/^Due: none → Fri,? 20 Nov.* 16:00$/).waitFor()
    await page.getByText(/^Due: Fri,? 20 Nov.* 16:00 → none$/).waitFor()
  })

  it('reports a missing task', async ({ ada: { open, page } }) => {
    await open('/tasks/01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41')
    await page.getByText('This task no longer exists').waitFor()
    allowFaults(page, /404 .*\/api\/tasks/)
  })
})
