// Vitest's `it` for the web app: a real server and database for each file, a new person in a new
// browser window for each test. Any console error or breach of the policy fails the test.
//
//   it('shows my tasks', async ({ ada }) => {
//     await ada.api.tasks.create({ title: 'Write' })
//     await ada.open('/tasks')
//     await ada.page.getByText('Write').waitFor()
//   })
import { randomUUID } from 'node:crypto'
import { createClient } from '@daywright/client'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'vitest'
import { testDatabase } from '../../server/test/test-database.ts'
import { launch } from './browser.ts'
import { post } from './post.ts'
import { startServer } from './server.ts'

export { describe, expect } from 'vitest'

export const password = 'correct horse battery staple'
const slowestMs = 15_000

export const it = test
  /** The URL of the database, for what would take too long to make through the service. */
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { url, drop } = await testDatabase()
    onCleanup(drop)
    return url
  })
  .extend('origin', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const service = await startServer(database)
    onCleanup(() => service.stop())
    return service.origin
  })
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launch()
    onCleanup(() => browser.close())
    return browser
  })
  /** A window in which nobody has signed in. */
  .extend('page', async ({ browser, origin, onTestFinished }, { onCleanup }) => {
    const { page, context, complain } = await openWindow(browser, origin)
    onCleanup(() => context.close())
    onTestFinished(complain)
    return page
  })
  /** Someone who has signed up, in a window of their own. */
  .extend('ada', async ({ browser, origin, onTestFinished }, { onCleanup }) => {
    const ada = await newPerson(browser, origin)
    onCleanup(() => ada.context.close())
    onTestFinished(ada.complain)
    return ada
  })
  /** The same on a phone. */
  .extend('phone', async ({ browser, origin, onTestFinished }, { onCleanup }) => {
    const ada = await newPerson(browser, origin, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    })
    onCleanup(() => ada.context.close())
    onTestFinished(ada.complain)
    return ada
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
  const faults = listenTo(page)
  /** Not when it is closed, where a failure would not be the test's. */
  function complain() {
    if (faults.length > 0) throw new Error(`In the browser:\n${faults.join('\n')}`)
  }
  async function close() {
    await context.close()
    complain()
  }
  return { context, page, complain, close }
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
    /** The same person's hands elsewhere: to arrange, and to look at what the service has. */
    api: createClient({ baseUrl: origin, apiKey: key }),
    open: async (path: string) => {
      await page.goto(path)
      await page.locator('#main').waitFor()
    },
  }
}

/** Takes back what this toast speaks of; others may be there, too. */
export const undo = (page: Page, says: string) =>
  page.locator('[data-toast]', { hasText: says }).getByRole('button', { name: 'Undo' }).click()

/** Sends the toasts away that are there, so that the next one is the only one. */
export async function dismissToasts(page: Page) {
  const dismiss = page.locator('[data-toast]').getByRole('button', { name: 'Dismiss' })
  // One that goes by itself meanwhile is gone, too.
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 1000 })
      .catch(() => {})
}

const faultsIn = new WeakMap<Page, string[]>()

/** For what a test provokes on purpose, like a refusal. */
export const forgive = (page: Page) => faultsIn.get(page)?.splice(0)

function listenTo(page: Page) {
  const faults: string[] = []
  faultsIn.set(page, faults)
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`)
  })
  return faults
}
