import type { Locator } from '@playwright/test'
import { faultsInBothThemes } from './axe.ts'
import { block, blocksOf, comingMonday, drag, middleOf, on, pointAt, span } from './calendar.ts'
import { allowFaults, describe, expect, it, type Person } from './it.ts'

const monday = comingMonday()
const calendar = `/calendar?w=${monday.toString()}`

/** Whether a part of a block is not shown in full. */
const isCut = (written: Locator, part: string) =>
  written.evaluate((button, selector) => {
    const [around, box] = [button, button.querySelector(selector)].map((each) =>
      each?.getBoundingClientRect(),
    )
    if (!around || !box) return true
    return box.height < 13 || box.right > around.right || box.bottom > around.bottom
  }, part)

/** Waits until the service has these blocks. */
const expectSpans = (ada: Person, spans: string[]) =>
  expect
    .poll(async () => (await blocksOf(ada, monday)).map((each) => span(each)).toSorted())
    .toEqual(spans)

describe('the week', () => {
  it('schedules a task from the list, and undoes it', async ({ ada }) => {
    await ada.api.tasks.create({ title: 'Write the report', estimateMinutes: 90 })
    await ada.open(calendar)
    const { page } = ada
    const row = page.locator('[data-task]', { hasText: 'Write the report' })
    await row.waitFor()

    await drag(page, await middleOf(row), await pointAt(page, 2, '13:00'))

    await block(page, 'Write the report').waitFor()
    await page.getByText('Pinned.').waitFor()
    await expectSpans(ada, ['Wed 13:00–14:30'])
    expect(await faultsInBothThemes(page)).toEqual([])

    await page.keyboard.press('Control+z')
    await block(page, 'Write the report').waitFor({ state: 'detached' })
    await expectSpans(ada, [])
    await page.keyboard.press('Control+Shift+z')
    await expectSpans(ada, ['Wed 13:00–14:30'])
  })

  it('moves and resizes a block with the mouse, and cancels on Escape', async ({ ada }) => {
    const task = await ada.api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const startAt = on(monday, '10:00')
    await ada.api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(calendar)
    const { page } = ada
    const written = block(page, 'Write')
    await written.waitFor()

    const top = await pointAt(page, 0, '10:00')
    await drag(page, { ...top, y: top.y + 20 }, await dragBlock(page, 3, '14:00', 20))
    await expectSpans(ada, ['Thu 14:00–15:00'])

    const { x, y, height } = await middleOf(written)
    const edge = { x, y: y + height / 2 - 3 }
    await drag(page, edge, { x, y: edge.y + 54 })
    await expectSpans(ada, ['Thu 14:00–16:00'])

    const target = await pointAt(page, 0, '12:00')
    // Locate the block after `pointAt` has scrolled, which moves it.
    await drag(page, await middleOf(written), target, { drop: false })
    await page.locator('.ghost').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.locator('.ghost').waitFor({ state: 'detached' })
    await expectSpans(ada, ['Thu 14:00–16:00'])
  })

  it('says that a block is late, while it is dragged and afterwards', async ({ ada }) => {
    const { api, page } = ada
    const dueAt = on(monday, '17:00')
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60, dueAt })
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(calendar)
    await block(page, 'Write').waitFor()
    expect(await block(page, 'Write').getByText(/^Late/).count()).toBe(0)

    const top = await pointAt(page, 0, '10:00')
    const target = await dragBlock(page, 1, '12:00', 20)
    await drag(page, { ...top, y: top.y + 20 }, target, { drop: false })
    await page
      .locator('.ghost')
      .getByText(/^Late: due/)
      .waitFor()
    await page.mouse.up()

    await page
      .locator('[data-toast]')
      .getByText(/Late: due/)
      .waitFor()
    await block(page, 'Write').getByText('20h late', { exact: true }).waitFor()
    await block(page, 'Write')
      .and(page.getByRole('button', { name: /Late: due/ }))
      .waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('shows the time of a late block in full', async ({ ada }) => {
    const { api, page } = ada
    const dueAt = on(monday, '09:00')
    for (const [from, to] of [
      ['10:00', '10:40'],
      ['11:00', '11:45'],
      ['12:00', '13:00'],
      ['14:00', '16:00'],
    ] as const) {
      const task = await api.tasks.create({ title: 'Write the report', dueAt })
      await api.timeBlocks.create({
        taskId: task.id,
        startAt: on(monday, from),
        endAt: on(monday, to),
      })
    }
    await ada.open(calendar)
    await expect(block(page, 'Write')).toHaveCount(4)

    for (const written of await block(page, 'Write').all()) {
      await expect(written.locator('.block-time')).toBeVisible()
      expect(await isCut(written, '.block-time')).toBe(false)
    }
    await expect(block(page, 'Write').last().getByText('7h late', { exact: true })).toBeVisible()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('shows a missed block, and reschedules it from its panel', async ({ ada }) => {
    const { api, page } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const yesterday = Temporal.Now.plainDateISO(ada.zone).subtract({ days: 1 })
    const { id } = await api.timeBlocks.create({
      taskId: task.id,
      startAt: on(yesterday, '10:00'),
      endAt: on(yesterday, '11:00'),
    })
    await ada.open(`/calendar?w=${yesterday.toString()}`)
    await page.locator('[data-missed]', { hasText: 'Write' }).click()
    const panel = page.getByRole('complementary', { name: 'Block' })
    expect(await faultsInBothThemes(page)).toEqual([])
    await panel.getByRole('button', { name: 'Reschedule' }).click()
    await page.getByText(/“Write” is now planned for/).waitFor()
    expect(await api.timeBlocks.get(id)).toMatchObject({ cancelReason: 'missed' })
  })

  it('names tasks without an estimate in the preview from scratch', async ({ ada }) => {
    const { api, page } = ada
    const { id } = await api.tasks.create({ title: 'Sometime' })
    await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    await ada.open('/calendar')
    await page.getByRole('button', { name: 'More ways to plan' }).click()
    await page.getByRole('menuitem', { name: 'Plan from scratch' }).click()
    const left = page.getByRole('region', { name: 'Tasks without an estimate' })
    await left.getByText('Sometime').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await left.getByRole('button', { name: '30m', exact: true }).click()
    await expect.poll(async () => (await api.tasks.get(id)).estimateMinutes).toBe(30)
  })

  it('creates a task at a selected time', async ({ ada }) => {
    await ada.open(calendar)
    const { page } = ada
    const from = await pointAt(page, 1, '09:00')
    await drag(page, { ...from, y: from.y + 2 }, { x: from.x, y: from.y + 54 * 1.5 })
    await page.getByRole('combobox', { name: 'Task' }).fill('Meet Mei')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Enter')

    await block(page, 'Meet Mei').waitFor()
    await expectSpans(ada, ['Tue 09:00–10:30'])
  })

  it('rolls a block back if the service does not answer', async ({ ada }) => {
    const task = await ada.api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const startAt = on(monday, '10:00')
    await ada.api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(calendar)
    const { page } = ada
    await block(page, 'Write').waitFor()
    const before = await middleOf(block(page, 'Write'))
    await page.route('**/api/time-blocks/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )

    await drag(page, before, { x: before.x, y: before.y + 108 })

    await page.getByText('The server did not respond. Your change may not be saved.').waitFor()
    const after = await middleOf(block(page, 'Write'))
    expect(Math.round(after.y)).toBe(Math.round(before.y))
    allowFaults(page, /ERR_FAILED.*\/api\/time-blocks/)
  })

  it('previews a plan, applies and undoes it, and keeps locked blocks', async ({ ada }) => {
    const { api, page } = ada
    // Plan from next Monday on rather than from now, because time passes during the test.
    const today = Temporal.Now.plainDateISO(ada.zone)
    const startAfter = on(today.add({ days: 8 - today.dayOfWeek }), '00:00')
    for (const title of ['First', 'Second', 'Third']) {
      await api.tasks.create({ title, estimateMinutes: 60, minSessionMinutes: 60, startAfter })
    }
    await api.planner.run()
    const range = { from: startAfter, to: new Date(startAfter.getTime() + 14 * 864e5) }
    const listPlanned = async () => {
      const blocks = await api.timeBlocks.list(range)
      return blocks.map((each) => `${each.title} ${each.startAt.toISOString()}`).toSorted()
    }
    const before = await listPlanned()
    const { startAt } = (await api.timeBlocks.list(range))[0]!
    const day = Temporal.Instant.from(startAt.toISOString()).toZonedDateTimeISO(ada.zone)
    await ada.open(`/calendar?w=${day.toPlainDate().toString()}`)
    const first = block(page, before[0]!.split(' ')[0]!)
    await first.click()
    await page.getByRole('complementary', { name: 'Block' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('l')
    await page.getByText('The planner won’t move it.').waitFor()
    await page.keyboard.press('Escape')

    await api.tasks.create({
      title: 'Fire',
      priority: 'urgent',
      estimateMinutes: 480,
      startAfter,
      dueAt: new Date(startAt.getTime() + 864e5),
    })
    await page.keyboard.press('p')
    await page.getByText('Preview of the plan').waitFor()
    await page.locator('[data-change=arrives]').first().waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(await listPlanned()).toEqual(before)

    await page.getByRole('button', { name: 'Apply plan' }).click()
    await page.getByText('Plan applied.').waitFor()
    const after = await listPlanned()
    expect(after).not.toEqual(before)
    expect(after).toContain(before[0])

    await page.getByRole('button', { name: 'Undo this plan' }).click()
    await page.getByText('Plan undone.').waitFor()
    expect(await listPlanned()).toEqual(before)
  })

  it('is correct on days with a daylight saving change', async ({ ada }) => {
    const { api, page } = ada
    const task = await api.tasks.create({ title: 'Night shift', estimateMinutes: 60 })
    const sunday = Temporal.PlainDate.from('2026-10-04') // 2:00 becomes 3:00 in Sydney
    const startAt = on(sunday, '01:30')
    await api.timeBlocks.create({
      taskId: task.id,
      startAt,
      endAt: new Date(startAt.getTime() + 3_600_000),
    })
    await ada.open('/calendar?w=2026-10-04')
    await page.getByText('Skipped by the clock change').waitFor()
    const shift = block(page, 'Night shift')
    expect(await shift.textContent()).toContain('1:30–3:30 · 1h')
    const from = await pointAt(page, 6, '01:30')
    const { y, height } = await middleOf(shift)
    expect(Math.round(y - height / 2)).toBe(Math.round(from.y) + 1)
    expect(Math.round(height)).toBe(2 * 54 - 2)

    const target = await pointAt(page, 6, '04:00')
    const grab = await pointAt(page, 6, '01:30')
    const to = { x: target.x, y: grab.y + 54 * 2.5 + 10 }
    await drag(page, { ...grab, y: grab.y + 10 }, to)
    await expect
      .poll(async () => {
        const [moved] = await api.timeBlocks.list({ from: on(sunday, '00:00') })
        return span(moved!)
      })
      .toBe('Sun 04:00–05:00')
  })

  it('uses the user’s time zone, not the browser’s', async ({ ada }) => {
    await ada.open('/calendar')
    const { hour, minute } = Temporal.Now.zonedDateTimeISO(ada.zone)
    const text = await ada.page.locator('.now-time').textContent()
    const [hours = 0, minutes = 0] = (text ?? '').split(':').map(Number)
    const late = (hour * 60 + minute - hours * 60 - minutes + 1440) % 1440
    expect(late).toBeLessThanOrEqual(2)
  })

  it('shows changes made elsewhere without a reload, and keeps typed text', async ({ ada }) => {
    const { api, page } = ada
    await ada.open(calendar)
    await page.getByLabel('Filter tasks').fill('wri')
    const task = await api.tasks.create({ title: 'Write elsewhere', estimateMinutes: 60 })
    await page.locator('[data-task]', { hasText: 'Write elsewhere' }).waitFor()
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })

    await block(page, 'Write elsewhere').waitFor()
    expect(await page.getByLabel('Filter tasks').inputValue()).toBe('wri')
  })
})

describe('two tabs', () => {
  it('show each other’s changes', async ({ ada }) => {
    const { api, page, context } = ada
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    const startAt = on(monday, '10:00')
    await api.timeBlocks.create({ taskId: task.id, startAt, endAt: on(monday, '11:00') })
    await ada.open(calendar)
    await block(page, 'Write').focus()
    const other = await context.newPage()
    await other.goto(calendar)
    await other.locator('.day-column').first().locator('[data-block]').waitFor()

    await page.bringToFront()
    await page.keyboard.press('Alt+ArrowRight')
    await other.locator('.day-column').nth(1).locator('[data-block]').waitFor()
  })
})

async function dragBlock(page: Person['page'], day: number, time: string, by: number) {
  // Does not scroll, unlike `pointAt`: the point where the drag begins must not move.
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return page.evaluate(
    ({ at, column, down }) => {
      const body = document.querySelector('.week-body') as HTMLElement
      const box = document.querySelectorAll('.day-column')[column]!.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + (at * body.offsetHeight) / 24 + down }
    },
    { at: hours + minutes / 60, column: day, down: by },
  )
}
