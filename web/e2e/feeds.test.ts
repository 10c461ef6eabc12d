// The plan as a feed for other calendar programs, at a secret address.
import { faultsInBothThemes } from './axe.ts'
import { comingMonday, on } from './calendar.ts'
import { describe, expect, it } from './it.ts'

const monday = comingMonday()

describe('a feed of the plan', () => {
  it('is created, read without signing in, and revoked', async ({ ada }) => {
    const { api, page, open } = ada
    await api.tasks.create({
      title: 'Write the report',
      estimateMinutes: 60,
      startAfter: on(monday, '09:00'),
      dueAt: on(monday, '17:00'),
    })
    await api.planner.run()
    await open('/settings/calendars')
    await page.getByRole('button', { name: 'Create address' }).click()
    await page.getByLabel('Calendar name').fill('Ada’s plan')
    await page.getByLabel('What it shows').selectOption('Titles only')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create address' }).click()
    const address = page.getByRole('textbox', { name: 'The address of “Ada’s plan”' })
    const url = await address.inputValue()
    expect(new URL(url).pathname).toMatch(/^\/feeds\/dwf_[\w-]+\.ics$/)
    expect(await faultsInBothThemes(page)).toEqual([])

    const answer = await fetch(url)

    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const file = await answer.text()
    expect(file).toContain('X-WR-CALNAME:Ada’s plan\r\n')
    expect(file).toContain('SUMMARY:Write the report\r\n')
    expect(file).not.toContain('DESCRIPTION')

    await page.getByRole('button', { name: 'Done' }).click()
    await open('/settings/calendars')
    const row = page.getByRole('listitem', { name: 'Ada’s plan' })
    await row.getByText('Titles only').waitFor()
    await row.getByText(/^Read /).waitFor()
    await row.getByRole('button', { name: 'Revoke the address “Ada’s plan”' }).click()
    await row.getByRole('button', { name: 'Revoke permanently?' }).click()
    await page.getByText('“Ada’s plan” no longer works.').waitFor()
    await row.waitFor({ state: 'detached' })
    await expect.poll(async () => (await fetch(url)).status).toBe(404)
  })
})
