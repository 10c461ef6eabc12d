import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultsInBothThemes } from './axe.ts'
import { describe, expect, it, newPerson, openWindow, password, undo } from './it.ts'
import { post } from './post.ts'

describe('settings', () => {
  it('profile: changes the name and the time zone', async ({ ada: { page, api, open } }) => {
    await open('/settings/profile')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.keyboard.press('Enter')
    await page.getByText('Changed your name.').waitFor()
    await page.getByText('This device’s time zone is UTC').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Switch to UTC' }).click()
    await page.getByText('Your time zone is UTC.').waitFor()
    expect(await api.user.get()).toMatchObject({ displayName: 'Ada Lovelace', timezone: 'UTC' })

    await undo(page, 'Your time zone is UTC')
    await expect.poll(async () => (await api.user.get()).timezone).toBe('Australia/Sydney')
  })

  it('planning: saves when to plan and when to notify', async ({ ada: { page, api, open } }) => {
    await open('/settings/planning')
    await page.getByLabel('Auto-schedule').check()
    await page.getByLabel('Re-plan every day at').fill('04:30')
    await page.getByLabel('Quiet hours').check()
    await page.getByLabel('Until', { exact: true }).fill('05:00')
    await page.getByLabel('Until', { exact: true }).blur()
    await page.getByLabel('Morning summary').check()
    await page.getByText('A summary each morning at 7:00.').waitFor()
    await page.getByLabel('Deadline alerts').check()
    await page.getByText('Deadline alerts are on.').waitFor()

    await expect
      .poll(() => api.settings.get())
      .toEqual({
        automatic: true,
        quietHours: { from: '22:00', to: '05:00' },
        dailyRunAt: '04:30',
        morningSummaryAt: '07:00',
        deadlineAlerts: true,
        missedBlocks: 'reschedule',
        assumedMinutes: null,
        schedulePreferenceId: null,
        planning: {
          lunch: null,
          breaks: null,
          dailyLimitMinutes: null,
          keepFreePercent: 0,
          bufferMinutes: 0,
          focusHours: null,
          deepWorkUntil: null,
        },
      })
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('planning: saves missed blocks, the assumed length and the preferences for a day', async ({
    ada: { page, api, open },
  }) => {
    const windows = [{ day: [6, 0], start: '10:00', end: '16:00' }]
    const weekend = await api.schedulePreferences.create({ name: 'Weekend', windows })
    const space = await api.spaces.create({ name: 'Home' })
    await open('/settings/planning')
    await page.getByLabel('Missed blocks').selectOption('assume-done')
    await page.getByText('Missed blocks count as done.').waitFor()
    await page.getByLabel('Plan tasks without an estimate').check()
    await page.getByLabel('Assumed length (min)').fill('45')
    await page.getByLabel('Assumed length (min)').blur()
    await page.getByLabel('Lunch break').check()
    await page.getByLabel('Lunch (min)').fill('60')
    await page.getByLabel('Lunch (min)').blur()
    await page.getByLabel('Breaks', { exact: true }).check()
    await page.getByLabel('Buffer between tasks').check()
    await page.getByLabel('Daily limit').check()
    await page.getByLabel('Keep time free').check()
    await page.getByLabel('Focus hours').check()
    await page.getByLabel('No deep work late in the day').check()
    await page.getByText('Deep work begins before 14:00.').waitFor()

    await expect
      .poll(() => api.settings.get())
      .toMatchObject({
        missedBlocks: 'assume-done',
        assumedMinutes: 45,
        planning: {
          lunch: { from: '11:30', to: '14:00', minutes: 60 },
          breaks: { afterMinutes: 45, minutes: 10 },
          dailyLimitMinutes: 360,
          keepFreePercent: 15,
          bufferMinutes: 5,
          focusHours: { from: '09:00', to: '12:00' },
          deepWorkUntil: '14:00',
        },
      })
    await undo(page, 'Deep work begins before 14:00')
    await expect.poll(async () => (await api.settings.get()).planning.deepWorkUntil).toBe(null)
    expect(await faultsInBothThemes(page)).toEqual([])

    await open('/settings/spaces')
    await page.getByLabel('Hours of “Home”').selectOption('Weekend')
    await page.getByText('Changed the hours of “Home”.').waitFor()
    const { spaces } = await api.defaultSchedules.list()
    expect(spaces).toEqual([{ spaceId: space.id, schedulePreferenceId: weekend.id }])
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('keys: are created, shown once, and revoked', async ({ ada: { page, api, open } }) => {
    await open('/settings/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('What is it for?').fill('Backup')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = page.getByRole('textbox', { name: 'The key “Backup”' })
    expect(await secret.inputValue()).toMatch(/^dwk_/)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await secret.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Revoke “Backup”' }).click()
    await page.getByRole('button', { name: 'Revoke permanently?' }).click()
    await page.getByText('“Backup” no longer works.').waitFor()
    expect(await api.user.get()).toBeTruthy()
  })

  it('sessions: are ended everywhere else', async ({ ada, browser, origin }) => {
    const other = await openWindow(browser, origin)
    await post(other.context, origin, '/api/auth/sign-in/email', { email: ada.email, password })
    await ada.open('/settings/sessions')
    await ada.page.getByText('This browser').waitFor()
    await ada.page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    expect(await faultsInBothThemes(ada.page)).toEqual([])
    await ada.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await ada.page.getByText('Signed out everywhere else.').waitFor()
    const answer = await other.context.request.get('/api/user')
    expect(answer.status()).toBe(401)
    await other.close()
  })

  it('webhooks: are created, paused, and send events again', async ({ ada: { page, open } }) => {
    const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    await open('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const first = await page.getByRole('textbox', { name: 'The signing secret' }).inputValue()
    expect(first).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'New secret' }).click()
    const second = page.getByRole('textbox', { name: 'The new signing secret' })
    expect(await second.inputValue()).not.toBe(first)
    await page.getByRole('button', { name: 'Deliveries' }).click()
    const again = page.getByRole('button', {
      name: 'Send webhook.created and all later events again',
    })
    await again.first().click()
    await page.getByText('This event and all later ones will be sent again.').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    receiver.close()
  })

  it('export: writes all data to one file', async ({ ada: { page, api, open } }) => {
    const task = await api.tasks.create({ title: 'Write', estimateMinutes: 30 })
    const document = await api.documents.create({ title: 'Brief', content: '# Goals' })
    await api.tasks.documents.link(task.id, document.id)
    await api.planner.run()
    await open('/settings/export')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all data (JSON)' }).click()
    const file = await (await saved).path()

    const all = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    expect(all).toMatchObject({
      profile: { displayName: 'Ada' },
      tasks: [{ title: 'Write' }],
      documents: [{ content: '# Goals', tasks: [{ taskId: task.id }] }],
      timeBlocks: [{ taskId: task.id }],
    })
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('spaces and labels: are created, renamed, coloured, deleted and restored', async ({
    ada: { page, api, open },
  }) => {
    await open('/settings/labels')
    await page.getByLabel('New label').fill('errand')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Name of “errand”').fill('errands')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Color of “errands”' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Pink' }).check()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect
      .poll(() => api.labels.list())
      .toMatchObject([{ name: 'errands', color: '#d6549a' }])
    await page.getByRole('button', { name: 'Delete “errands”' }).click()
    await undo(page, 'Deleted the label “errands”')
    await expect.poll(() => api.labels.list()).toMatchObject([{ name: 'errands' }])

    await open('/settings/spaces')
    await page.getByLabel('New space').fill('Work')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Move “Work” up' }).click()
    await expect.poll(async () => (await api.spaces.list())[0]?.name).toBe('Work')
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('appearance and shortcuts: set the theme and single keys', async ({ ada: { page, open } }) => {
    await open('/settings/appearance')
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    expect(await faultsInBothThemes(page)).toEqual([])
    await open('/settings/shortcuts')
    await page.getByLabel('Single keys, like q to add a task').uncheck()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('appearance: a new theme applies at once if motion is reduced', async ({
    ada: { page, open },
  }) => {
    await open('/settings/appearance')
    await page.getByRole('button', { name: 'Dark', exact: true }).waitFor()
    const moving = await page.evaluate(() => {
      document.documentElement.dataset.theme = 'dark'
      return document.getAnimations().length
    })
    expect(moving).toBe(0)
  })

  it('storage and limits: shows the usage and the limit', async ({ ada: { page, open, api } }) => {
    await api.tasks.create({ title: 'Write' })
    await open('/settings/usage')

    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'Tasks', exact: true }) })
    const { tasks } = await api.usage()
    await expect
      .poll(() => row.getByRole('cell').allTextContents())
      .toEqual(['1', tasks.limit.toLocaleString('en-GB')])
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('every page fits a phone', async ({ phone: { page, open } }) => {
    const names = [
      'profile',
      'schedule',
      'planning',
      'spaces',
      'labels',
      'keys',
      'webhooks',
      'usage',
    ]
    for (const name of names) {
      await open(`/settings/${name}`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      expect(await faultsInBothThemes(page)).toEqual([])
    }
  })

  it('users: are shown to admins only', async ({ browser, origin, ada }) => {
    const other = await newPerson(browser, origin)
    await other.open('/admin/users')
    await other.page.getByText('You don’t have access').waitFor()
    expect(await faultsInBothThemes(other.page)).toEqual([])
    await other.close()
    expect((await ada.api.user.get()).isAdmin).toBe(false)
  })
})
