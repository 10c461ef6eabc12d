import { faultsInBothThemes } from './axe.ts'
import {
  block,
  blocksOf,
  comingMonday,
  middleOf,
  on,
  pointAt,
  span,
  touchDrag,
} from './calendar.ts'
import { describe, expect, it, type Person } from './it.ts'

const monday = comingMonday()

const expectSpans = (ada: Person, spans: string[]) =>
  expect
    .poll(async () => (await blocksOf(ada, monday)).map((each) => span(each)).toSorted())
    .toEqual(spans)

describe('the week without a mouse', () => {
  it('can be used by keyboard alone', async ({ ada }) => {
    const { api, page } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    await api.tasks.create({ title: 'Read', estimateMinutes: 30 })
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()

    await tabTo(page, () => document.activeElement?.matches('[data-block]') ?? false)
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Alt+Shift+ArrowDown')
    await expectSpans(ada, ['Tue 10:30–11:45'])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Write')

    await undoUntil(ada, 'Mon 10:00–11:00')

    await tabTo(page, () => document.activeElement?.matches('[data-block]') ?? false)
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Block' }).waitFor()
    await page.keyboard.press('l')
    await expect.poll(async () => (await blocksOf(ada, monday))[0]?.locked).toBe(true)
    await page.keyboard.press('e')
    await expectSpans(ada, ['Mon 10:00–11:15'])
    await page.keyboard.press('Delete')
    await expectSpans(ada, [])
    await page.keyboard.press('Control+z')
    await expectSpans(ada, ['Mon 10:00–11:15'])

    await page.keyboard.press('/')
    await page.keyboard.type('Read')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('s')
    await page.getByText('“Read” is at').waitFor()
    const { data } = await api.tasks.list()
    expect(data.find(({ title }) => title === 'Read')?.timeBlocks).toHaveLength(1)

    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a command' }).waitFor()
    await page.keyboard.type('fortnight plan')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Plan' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Plan' }).waitFor({ state: 'detached' })
  })
})

describe('undo', () => {
  it('reverts one step at a time, and keeps later changes of a script', async ({ ada }) => {
    const { api, page } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const startAt = on(monday, '10:00')
    const { id } = await api.timeBlocks.create({
      taskId: task.id,
      startAt,
      endAt: on(monday, '11:00'),
    })
    await ada.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expectSpans(ada, ['Tue 10:00–11:00'])
    await page.keyboard.press('l')
    await expectLocked(true)
    await page.getByText('The planner won’t move it.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await api.timeBlocks.update(id, { sortOrder: 7 })

    await page.keyboard.press('Control+z')
    await expectLocked(false)
    await expectSpans(ada, ['Tue 10:00–11:00'])
    await page.keyboard.press('Control+z')
    await expectSpans(ada, ['Mon 10:00–11:00'])
    expect(await blocksOf(ada, monday)).toMatchObject([{ locked: false, sortOrder: 7 }])

    function expectLocked(locked: boolean) {
      return expect.poll(() => blocksOf(ada, monday)).toMatchObject([{ locked }])
    }
  })
})

describe('the week on a phone', () => {
  it('shows one day, places a task, and drags a block after a long press', async ({ phone }) => {
    const { api, page } = phone
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    await api.tasks.create({ title: 'Read', estimateMinutes: 30 })
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await phone.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()
    expect(await page.locator('.day-column').count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])

    const from = await pointAt(page, 0, '10:00')
    const to = { ...from, y: from.y + 15 + 54 * 2 }
    await touchDrag(phone, { ...from, y: from.y + 15 }, to, page.locator('body[data-dragging]'))
    await expectSpans(phone, ['Mon 12:00–13:00'])

    await page.getByRole('button', { name: 'Tasks', exact: true }).tap()
    const list = page.getByRole('complementary', { name: 'Tasks' })
    expect(await faultsInBothThemes(page)).toEqual([])
    await list.getByRole('button', { name: 'Place “Read”' }).tap()
    await page.getByText('“Read” is at').waitFor()
    await block(page, 'Read').waitFor()
  })
})

describe('a short block on a phone', () => {
  it('is moved, and not resized, by a drag from its middle', async ({ phone }) => {
    const { api, page } = phone
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    const startAt = on(monday, '09:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '09:30') })
    await phone.open(`/calendar?w=${monday.toString()}`)
    await block(page, 'Write').waitFor()

    for (const [part, to] of [
      ['its middle', '10:00'],
      ['its lower half', '11:00'],
    ] as const) {
      const { x, y, height } = await middleOf(block(page, 'Write'))
      const from = { x, y: part === 'its middle' ? y : y + height / 2 - 4 }
      const dragging = page.locator('body[data-dragging=move]')
      await touchDrag(phone, from, { x, y: from.y + 54 }, dragging)
      await expectSpans(phone, [`Mon ${to}–${to.slice(0, 2)}:30`])
    }
  })
})

/** Undoes until the block has this span. That takes several steps if the debounce ended between two keys. */
async function undoUntil(ada: Person, wanted: string) {
  const spanOf = async () => (await blocksOf(ada, monday)).map((each) => span(each))[0]
  for (let now = await spanOf(); now !== wanted; now = await spanOf()) {
    await ada.page.keyboard.press('Control+z')
    // Wait, because a second press before the first undo is done could undo one step too many.
    await expect.poll(spanOf).not.toBe(now)
  }
}

/** Presses Tab until the focus satisfies `isThere`. */
async function tabTo(page: Person['page'], isThere: () => boolean) {
  for (let count = 0; count < 60; count += 1) {
    if (await page.evaluate(isThere)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The Tab key does not come there')
}
