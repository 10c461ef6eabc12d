import { faultsInBothThemes } from './axe.ts'
import { middleOf, touchDrag, touchSwipe } from './calendar.ts'
import { describe, dismissToasts, expect, it, undo } from './it.ts'

const office = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

describe('working hours', () => {
  it('are painted with the mouse, and erased', async ({ ada: { page, api, open } }) => {
    const { id } = await api.schedulePreferences.create({ name: 'Office', windows: office })
    const windows = async () =>
      (await api.schedulePreferences.list()).find((each) => each.id === id)
    await open('/settings/schedule')
    const from = page.getByRole('gridcell', { name: 'Sat 10:00' })
    const to = page.getByRole('gridcell', { name: 'Sun 11:30' })
    await from.hover()
    await page.mouse.down()
    await to.hover()
    await page.mouse.up()
    await page.getByText('Changed “Office”.').waitFor()
    expect((await windows())?.windows).toContainEqual({ day: [0, 6], start: '10:00', end: '12:00' })
    expect(await faultsInBothThemes(page)).toEqual([])

    await dismissToasts(page)
    await page.getByRole('gridcell', { name: 'Wed 12:00' }).click()
    await expect
      .poll(async () => (await windows())?.windows)
      .toContainEqual({ day: [3], start: '12:30', end: '17:00' })
    await undo(page, 'Changed “Office”')
    await expect.poll(async () => (await windows())?.windows).toContainEqual(office[0])
  })

  it('are painted by keyboard alone', async ({ ada: { page, api, open } }) => {
    await api.schedulePreferences.create({ name: 'Office', windows: office })
    await open('/settings/schedule')
    await page.getByRole('gridcell', { name: 'Mon 09:00' }).focus()
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.down('Shift')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.up('Shift')

    await expect
      .poll(async () => (await api.schedulePreferences.list())[0]?.windows)
      .toContainEqual({ day: [6], start: '09:00', end: '10:30' })
    await page.keyboard.press('Space')
    await expect
      .poll(async () => (await api.schedulePreferences.list())[0]?.windows)
      .toContainEqual({ day: [6], start: '09:00', end: '10:00' })
  })

  it('are painted by touch', async ({ phone }) => {
    const { page, api, open } = phone
    await api.schedulePreferences.create({ name: 'Office', windows: office })
    await open('/settings/schedule')
    const cell = page.getByRole('gridcell', { name: 'Sun 08:00' })
    await cell.scrollIntoViewIfNeeded()
    await cell.tap()

    await expect
      .poll(async () => (await api.schedulePreferences.list())[0]?.windows)
      .toContainEqual({ day: [0], start: '08:00', end: '08:30' })

    // Away from the button that floats over the last rows.
    await cell.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const first = await middleOf(page.getByRole('gridcell', { name: 'Sun 10:00' }))
    const last = await middleOf(page.getByRole('gridcell', { name: 'Sun 11:30' }))
    const painted = page.getByRole('gridcell', { name: 'Sun 10:00', selected: true })
    await touchDrag(phone, first, last, painted)
    await expect
      .poll(async () => (await api.schedulePreferences.list())[0]?.windows)
      .toContainEqual({ day: [0], start: '10:00', end: '12:00' })

    // Listen for the scroll before the swipe begins.
    const scrolled = await page.evaluateHandle(() => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      document.addEventListener('scroll', resolve, { capture: true, once: true })
      return { promise }
    })
    await touchSwipe(phone, last, first)
    await scrolled.evaluate(async ({ promise }) => void (await promise))
    expect((await api.schedulePreferences.list())[0]?.windows).toContainEqual({
      day: [0],
      start: '10:00',
      end: '12:00',
    })
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('are two windows if they pass midnight', async ({ ada: { page, api, open } }) => {
    await api.schedulePreferences.create({ name: 'Office', windows: office, priority: 1 })
    await open('/settings/schedule')
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByRole('region', { name: 'New schedule' }).getByLabel('Name').fill('Nights')
    await page.keyboard.press('Enter')
    await page.getByText('Renamed to “Nights”.').waitFor()
    await page.getByText('Enter exact times').click()
    await page.getByRole('button', { name: 'Fri' }).click()
    await page.getByLabel('From').fill('22:00')
    await page.getByLabel('Until').fill('02:00')
    await page.getByText('Saved as two windows').waitFor()
    await page.getByRole('button', { name: 'Add these hours' }).click()

    const nights = async () =>
      (await api.schedulePreferences.list()).find(({ name }) => name === 'Nights')
    await expect
      .poll(async () => (await nights())?.windows)
      .toEqual(
        expect.arrayContaining([
          { day: [5], start: '22:00', end: '23:59' },
          { day: [6], start: '00:00', end: '02:00' },
        ]),
      )
  })

  it('have a default, which is chosen among the schedules', async ({
    ada: { page, api, open },
  }) => {
    await api.schedulePreferences.create({ name: 'Office', windows: office })
    const evenings = [{ day: [1], start: '18:00', end: '22:00' }]
    const { id } = await api.schedulePreferences.create({ name: 'Evenings', windows: evenings })
    const defaultId = async () => (await api.settings.get()).schedulePreferenceId
    await open('/settings/schedule')
    const choice = page.getByLabel('Default hours')
    await expect(choice).toHaveValue('')
    await choice.selectOption('Evenings')
    await page.getByText('Changed the default hours.').waitFor()
    expect(await defaultId()).toBe(id)
    await undo(page, 'Changed the default hours.')
    await expect.poll(defaultId).toBe(null)
    expect(await faultsInBothThemes(page)).toEqual([])

    await choice.selectOption('Evenings')
    await expect.poll(defaultId).toBe(id)
    await page.getByRole('button', { name: 'Evenings', exact: true }).click()
    await page.getByRole('button', { name: 'Delete “Evenings”' }).click()
    await expect(choice).toHaveValue('')
    expect(await defaultId()).toBe(null)
  })
})
