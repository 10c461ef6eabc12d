// A habit over several days: planned on different days, missed, and lapsed. Each test moves the clock.
import { faultsInBothThemes } from './axe.ts'
import { blocksOf, comingMonday, on, span } from './calendar.ts'
import { type Person } from './it.ts'
import { describe, expect, it } from './moved-clock.ts'

const monday = comingMonday()
const day = (days: number) => monday.add({ days })

/** Waits until the blocks of the week from this day on are the given ones. */
const expectWeek = (ada: Person, from: Temporal.PlainDate, lines: string[]) =>
  expect
    .poll(
      async () =>
        (await blocksOf(ada, monday))
          .filter(({ status }) => status !== 'cancelled')
          .filter(({ startAt }) => startAt > on(from, '00:00') && startAt < on(day(7), '00:00'))
          .toSorted((one, other) => Number(one.startAt) - Number(other.startAt))
          .map((each) => span(each)),
      { timeout: 20_000 },
    )
    .toEqual(lines)

describe('a habit', () => {
  it('is planned three times a week, and is made up for if missed, until it lapses', async ({
    ada,
    clock,
  }) => {
    const { api, page } = ada
    await clock.start(page, on(monday, '08:30'))
    const { id } = await api.tasks.create({ title: 'Exercise', estimateMinutes: 60 })
    await ada.open(`/tasks/${id}`)
    await page.getByRole('button', { name: /Change repeats/ }).click()
    await page.getByRole('option', { name: 'Custom…' }).click()
    const form = page.getByRole('dialog', { name: 'Repeat “Exercise”' })
    await form.getByRole('button', { name: 'A number of times' }).click()
    await form.getByLabel('Preferred time').fill('12:00')
    await form.getByText('Repeats 3 times a week').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await form.getByRole('button', { name: 'Repeat', exact: true }).click()
    await form.waitFor({ state: 'hidden' })
    await api.planner.run()
    await api.settings.update({ automatic: true })
    await expectWeek(ada, monday, ['Mon 12:00–13:00', 'Wed 12:00–13:00', 'Fri 12:00–13:00'])

    await clock.moveTo(page, on(day(1), '08:30'))
    await expectWeek(ada, day(1), ['Tue 12:00–13:00', 'Wed 12:00–13:00', 'Fri 12:00–13:00'])

    await clock.moveTo(page, on(day(3), '08:30'))
    await expectWeek(ada, day(3), ['Thu 12:00–13:00', 'Fri 12:00–13:00'])
    const { data } = await api.tasks.list({ limit: 100 })
    const [open] = data.toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt))
    await ada.open(`/tasks/${open!.id}`)
    await page.getByRole('button', { name: /Change repeats/ }).click()
    const series = page.getByRole('dialog', { name: 'Exercise' })
    await series.getByText('0 done · 0 skipped · 1 missed').waitFor()
  })

  it('is shown in weeks for which it has no tasks yet', async ({ ada, clock }) => {
    const { api, page } = ada
    await clock.start(page, on(monday, '08:30'))
    await api.recurrences.create({
      kind: 'calendar',
      rule: 'FREQ=WEEKLY;BYDAY=WE',
      startsOn: monday.toString(),
      task: { title: 'Exercise' },
    })
    await ada.open(`/calendar?w=${day(35).toString()}`)
    await page.getByText('Will repeat: Exercise').waitFor()
    expect(await page.getByText('Will repeat:').count()).toBe(1)
    expect(await faultsInBothThemes(page)).toEqual([])
  })
})
