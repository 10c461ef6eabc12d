// Playwright's `test` for the web app: a real server and database per worker process, a new user in a new browser
// window per test. Any console error or violation of the content security policy fails the test.
//
//   it('shows my tasks', async ({ ada }) => {
//     await ada.api.tasks.create({ title: 'Write' })
//     await ada.open('/tasks')
//     await ada.page.getByText('Write').waitFor()
//   })
import { randomUUID } from 'node:crypto'
import { createClient } from '@daywright/client'
import { type Browser, type BrowserContextOptions, type Page, test } from '@playwright/test'
import { createDatabase } from '../../server/test/databases.ts'
import { readTestServer } from './global-setup.ts'
import { post } from './post.ts'
import { startServer } from './server.ts'

export { expect } from '@playwright/test'
export const { describe } = test

export const password = 'correct horse battery staple'
const slowestMs = 15_000
export const perWorker = { scope: 'worker', timeout: 120_000 } as const

type PerWorker = {
  /** The URL of the database, for data that would take too long to create through the service. */
  database: string
  origin: string
}
type PerTest = {
  /** A window without a session. */
  page: Page
  /** A signed-up user in a separate window. */
  ada: Person
  /** A signed-up user on a phone. */
  phone: Person
}

export const it = test.extend<PerTest, PerWorker>({
  database: [
    async ({}, use) => {
      const { server, template } = readTestServer()
      const { url, drop } = await createDatabase(server, template)
      await use(url)
      await drop()
    },
    perWorker,
  ],
  origin: [
    async ({ database }, use) => {
      const service = await startServer(database)
      await use(service.origin)
      await service.stop()
    },
    perWorker,
  ],
  page: async ({ browser, origin }, use) => {
    const { page, close } = await openWindow(browser, origin)
    await use(page)
    await close()
  },
  ada: async ({ browser, origin }, use) => {
    const ada = await newPerson(browser, origin)
    await use(ada)
    await ada.close()
  },
  phone: async ({ browser, origin }, use) => {
    const ada = await newPerson(browser, origin, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    })
    await use(ada)
    await ada.close()
  },
})

export type Person = Awaited<ReturnType<typeof newPerson>>

export async function openWindow(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(slowestMs)
  const page = await context.newPage()
  const readFaults = listenTo(page)
  async function close() {
    const faults = readFaults()
    await context.close()
    if (faults.length > 0) throw new Error(`In the browser:\n${faults.join('\n')}`)
  }
  return { context, page, close }
}

export async function newPerson(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions & { zone?: string } = {},
) {
  const { zone = 'Australia/Sydney', ...window } = options
  const opened = await openWindow(browser, origin, window)
  const { context, page } = opened
  const email = `${randomUUID()}@example.com`
  await post(context, origin, '/api/auth/sign-up/email', {
    email,
    password,
    name: 'Ada',
    timezone: zone,
  })
  const issued = await post(context, origin, '/api/api-keys', { name: 'e2e' })
  const { key } = issued as { key: string }
  return {
    ...opened,
    email,
    zone,
    /** The same user through the API: to arrange data, and to check what the service has. */
    api: createClient({ baseUrl: origin, apiKey: key }),
    open: async (path: string) => {
      await page.goto(path)
      await page.locator('#main').waitFor()
    },
  }
}

/** Presses Undo in the toast with this text; other toasts may be shown, too. */
export const undo = (page: Page, says: string) =>
  page.locator('[data-toast]', { hasText: says }).getByRole('button', { name: 'Undo' }).click()

/** Dismisses all toasts, so that the next one is the only one. */
export async function dismissToasts(page: Page) {
  const dismiss = page.locator('[data-toast]').getByRole('button', { name: 'Dismiss' })
  // A toast may disappear by itself meanwhile.
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 1000 })
      .catch(() => {})
}

const allowedIn = new WeakMap<Page, RegExp[]>()

/**
 * Allows the console errors of requests that a test makes fail on purpose. A pattern is tested against the message
 * and the URL. The browser may report a failed request late, so call this at any time before the test ends.
 */
export const allowFaults = (page: Page, ...patterns: RegExp[]) =>
  void allowedIn.get(page)?.push(...patterns)

function listenTo(page: Page) {
  const faults: string[] = []
  const allowed: RegExp[] = []
  allowedIn.set(page, allowed)
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`)
  })
  return () => faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))
}
