import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsInBothThemes } from './axe.ts'
import { allowFaults, describe, expect, it, password } from './it.ts'
import { storedText } from './stored-text.ts'

/** A time zone in which enough of today is left for the plan, even on a Sunday. */
const early = new Date().getUTCHours() < 12 ? 'Europe/Paris' : 'America/Los_Angeles'

describe('the first run', () => {
  it('leads from sign-up to a first plan', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
    await page.getByLabel('Password').fill('correct horse battery staple')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { name: 'Where are you?' }).waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('UTC')
    await page.getByLabel('Time zone').selectOption(early)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByRole('heading', { name: 'When do you work?' }).waitFor()
    await page.getByRole('button', { name: 'Sat' }).click()
    await page.getByRole('button', { name: 'Sun' }).click()
    await page.getByLabel('Until').fill('20:00')
    await page.getByLabel('Keep time for lunch free').check()
    await page.getByLabel('Length of lunch').selectOption('60')
    await page.getByLabel('Send me a summary of the day each morning').check()
    await page.getByLabel('Time of the summary').fill('06:30')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.getByLabel('Task 1', { exact: true }).fill('Write the report')
    await page.getByLabel('Task 2', { exact: true }).fill('Call the insurance')
    await page.getByLabel('How long task 2 takes').selectOption('30')
    await page.getByLabel('Task 3', { exact: true }).fill('Prepare the talk')
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Plan my week' }).click()

    await page.waitForURL('**/calendar?w=*')
    // Check the toast first, because it disappears.
    await page.getByText('Scheduled 3 blocks.').waitFor()
    await page.locator('[data-block]', { hasText: 'Write the report' }).waitFor()
    const settings = await page.evaluate(() => fetch('/api/settings').then((each) => each.json()))
    expect(settings).toMatchObject({
      morningSummaryAt: '06:30',
      planning: { lunch: { from: '11:30', to: '14:00', minutes: 60 } },
    })
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('reports errors, and keeps typed text', async ({ page, ada }) => {
    await page.goto('/signup')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('alert').waitFor()
    allowFaults(page, /422 .*sign-up/)
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
  })

  it('can be done by keyboard: Enter goes on, and in a task to the next one', async ({
    ada: { page, api },
  }) => {
    await page.goto('/welcome')
    await page.getByRole('button', { name: 'Continue' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'When do you work?' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    const titles = ['Write the report', 'Call the insurance', 'Prepare the talk', 'Book a room']
    for (const [index, title] of titles.entries()) {
      await expect(page.getByLabel(`Task ${index + 1}`, { exact: true })).toBeFocused()
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
    }
    await expect(page.getByLabel('Task 5', { exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Plan my week' })).toBeFocused()
    await page.keyboard.press('Enter')

    await page.waitForURL('**/calendar?w=*')
    const made = (await api.tasks.list()).data.map(({ title }) => title)
    expect(made.toSorted()).toEqual(titles.toSorted())
  })

  it('creates no first task twice if another is refused', async ({ ada: { page, api } }) => {
    let isRefused = true
    await page.route('**/api/tasks', (route) => {
      const isSecond = route.request().postData()?.includes('Call the insurance')
      if (!isSecond || !isRefused) return route.continue()
      isRefused = false
      return route.fulfill({ status: 400, json: { error: 'Title is not allowed' } })
    })
    await page.goto('/welcome')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'When do you work?' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    const titles = ['Write the report', 'Call the insurance', 'Prepare the talk']
    for (const [index, title] of titles.entries()) {
      await page.getByLabel(`Task ${index + 1}`, { exact: true }).fill(title)
    }
    await page.getByRole('button', { name: 'Plan my week' }).click()
    await page.getByText('Title is not allowed').waitFor()
    allowFaults(page, /400 .*\/api\/tasks/)
    expect(await page.getByLabel('Task 1', { exact: true }).inputValue()).toBe('Call the insurance')
    await page.getByRole('button', { name: 'Plan my week' }).click()

    await page.waitForURL('**/calendar?w=*')
    const made = (await api.tasks.list()).data.map(({ title }) => title)
    expect(made.toSorted()).toEqual(titles.toSorted())
  })

  it('signs out, and leaves no data behind', async ({ ada: { page, open, api } }) => {
    await api.tasks.create({ title: 'Secret' })
    await open('/calendar')
    await expect.poll(() => storedText(page)).toContain('Secret')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await storedText(page)).not.toContain('Secret')
    expect(await page.evaluate(() => localStorage.getItem('daywright.user'))).toBe(null)
  })

  it('signs out while the page is still loading', async ({ ada: { page, open } }) => {
    await page.route('**/api/default-schedules', async (route) => {
      await sleep(500)
      await route.continue()
    })
    await open('/calendar')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    // A query that is refused would be an error in the console, which fails the test.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('signs out in every tab', async ({ ada: { page, open, api, context } }) => {
    await api.tasks.create({ title: 'Secret' })
    const other = await context.newPage()
    await other.goto('/tasks')
    await other.getByText('Secret', { exact: true }).waitFor()
    await open('/calendar')
    await expect.poll(() => storedText(other)).toContain('Secret')

    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await other.getByText('Secret').count()).toBe(0)
    await expect.poll(() => storedText(other)).not.toContain('Secret')
  })

  it('stores nothing on a shared computer, and ends the session with the browser', async ({
    ada,
    page,
  }) => {
    await ada.api.tasks.create({ title: 'Secret' })
    await page.goto('/login?next=//evil.test')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('This is a shared computer').check()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/calendar')
    await page.goto('/tasks')
    await page.getByText('Secret', { exact: true }).waitFor()

    const cookies = await page.context().cookies()
    expect(cookies.filter(({ expires }) => expires !== -1)).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('daywright.user'))).toBe(null)
    expect(await storedText(page)).not.toContain('Secret')
  })

  it('shows the service’s message if the refusal is not about the password', async ({
    ada,
    page,
  }) => {
    await page.route('**/api/auth/sign-in/email', (route) =>
      route.fulfill({ status: 403, json: { error: 'Invalid origin' } }),
    )
    await page.goto('/login')
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()

    const words = await page.getByRole('alert').textContent()
    allowFaults(page, /403 .*sign-in/)
    expect(words).toContain('Invalid origin. If you run it, set PUBLIC_URL to http://127.0.0.1')
  })

  it('offers to create an account only if sign-up is open', async ({ page }) => {
    await page.route('**/api/auth/sign-up', (route) =>
      route.fulfill({ json: { open: false, needsSetupToken: false } }),
    )
    const asked = page.waitForResponse('**/api/auth/sign-up')
    await page.goto('/login')
    await asked
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)

    await page.goto('/signup')
    await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  it('asks for the setup token if the first account needs it', async ({ page }) => {
    await page.route('**/api/auth/sign-up', (route) =>
      route.fulfill({ json: { open: true, needsSetupToken: true } }),
    )
    await page.goto('/signup')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Setup token').fill('  a-token ')
    expect(await faultsInBothThemes(page)).toEqual([])
    const request = page.waitForRequest('**/api/auth/sign-up/email')
    await page.getByRole('button', { name: 'Create account' }).click()

    expect((await request).postDataJSON()).toMatchObject({ setupToken: 'a-token' })
  })

  it('asks to sign in again over the page when the session has ended', async ({ ada }) => {
    const { page, context, api } = ada
    await api.tasks.create({ title: 'Write', estimateMinutes: 60 })
    // Wait for the event stream before the session ends; otherwise its 401 would come first.
    const following = page.waitForResponse('**/api/events')
    await ada.open('/calendar')
    await following
    await page.getByLabel('Filter tasks').fill('wri')
    await expect.poll(() => storedText(page)).toContain('Write')
    await context.clearCookies()
    await page.locator('[data-task]', { hasText: 'Write' }).hover()
    await page.getByRole('button', { name: 'Place “Write”' }).click()

    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    allowFaults(page, /401 .*\/api\//)
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(await page.locator('[data-task]', { hasText: 'Write' }).isVisible()).toBe(false)
    await expect.poll(() => storedText(page)).toBe('[]')
    expect(await page.evaluate(() => localStorage.getItem('daywright.user'))).toBe(null)
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Filter tasks').inputValue()).toBe('wri')
    await page.locator('[data-task]', { hasText: 'Write' }).hover()
    await page.getByRole('button', { name: 'Place “Write”' }).click()
    await page.getByText('“Write” is at').waitFor()
  })
})
