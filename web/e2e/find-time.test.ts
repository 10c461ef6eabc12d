// Find a time: proposes slots for an appointment, and says what each costs.
import { faultsInBothThemes } from './axe.ts'
import { blocksOf, comingMonday, on, span } from './calendar.ts'
import { undo, type Person } from './it.ts'
import { type Clock, describe, expect, it } from './moved-clock.ts'

const monday = comingMonday()

/** Sets the clock to Monday, 8:30. An appointment leaves 9:00 to 12:00 free, and work is planned there. */
async function startBusyMonday({ api, page }: Person, clock: Clock) {
  await clock.start(page, on(monday, '08:30'))
  await api.timeBlocks.create({
    type: 'event',
    title: 'Workshop',
    startAt: on(monday, '12:00'),
    endAt: on(monday, '17:00'),
  })
  const task = { autoSplit: false, priority: 'high' } as const
  await api.tasks.create({
    title: 'Write the report',
    estimateMinutes: 120,
    dueAt: on(monday, '12:00'),
    ...task,
  })
  await api.tasks.create({ title: 'Review the budget', estimateMinutes: 60, ...task })
  await api.planner.run()
}

const calendarOf = async (ada: Person) =>
  (await blocksOf(ada, monday)).map((each) => `${each.title} ${span(each)}`).toSorted()

const planned = [
  'Review the budget Mon 11:00–12:00',
  'Workshop Mon 12:00–17:00',
  'Write the report Mon 09:00–11:00',
]

describe('find a time', () => {
  it('books a slot with one press, moves the work in its way, and is undone', async ({
    ada,
    clock,
  }) => {
    const { page } = ada
    await startBusyMonday(ada, clock)
    expect(await calendarOf(ada)).toEqual(planned)
    await ada.open('/calendar')
    await page.getByRole('button', { name: 'Find a time' }).waitFor()
    await page.keyboard.press('f')
    const dialog = page.getByRole('dialog', { name: 'Find a time' })
    const slots = dialog.getByRole('list', { name: 'Proposed times' }).getByRole('listitem')
    await dialog.getByLabel('Title').fill('Lunch with Mei')
    await slots.first().getByText('Nothing else changes.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    await dialog.getByLabel('Last day').fill(monday.toString())
    await slots.first().getByText('Moves “Review the budget” to tomorrow 9:00.').waitFor()
    expect(await slots.filter({ hasText: 'Makes “Write the report” late.' }).count()).toBe(1)
    await dialog.getByLabel('Length').selectOption('4h')
    await dialog.getByText(/no slot of 4h is free of appointments/).waitFor()
    await dialog.getByLabel('Length').selectOption('1h')
    await slots.first().getByRole('button', { name: 'Book Today, 11:00–12:00' }).click()

    await page.getByText('Your plan has made room for it.').waitFor()
    expect(await calendarOf(ada)).toEqual([
      'Lunch with Mei Mon 11:00–12:00',
      'Review the budget Tue 09:00–10:00',
      'Workshop Mon 12:00–17:00',
      'Write the report Mon 09:00–11:00',
    ])
    await undo(page, 'Added “Lunch with Mei”')
    await expect.poll(() => calendarOf(ada)).toEqual(planned)
  })

  it('fits a phone', async ({ phone, clock }) => {
    const { page } = phone
    await startBusyMonday(phone, clock)
    await phone.open('/calendar')
    await page.getByRole('button', { name: 'More ways to plan' }).tap()
    await page.getByRole('menuitem', { name: 'Find a time' }).tap()
    await page.getByText('Nothing else changes.').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
