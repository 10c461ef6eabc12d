// npm run screens: a screenshot of every screen, light, dark and on a phone, into docs/screens; with names
// (npm run screens -- documents settings-usage) only of these.
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@daywright/client'
import type { BrowserContext, Page } from '@playwright/test'
import { withDatabase } from '../../server/bench/with-database.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { launch } from '../e2e/browser.ts'
import { post } from '../e2e/post.ts'
import { startService } from '../e2e/service-with-clock.ts'
import { livedIn } from './life.ts'

const folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url))
const password = 'correct horse battery staple'

const looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    isMobile: true,
    hasTouch: true,
  },
} as const

type Ids = Awaited<ReturnType<typeof livedIn>>
type Screen = {
  name: string
  path: (ids: Ids, look: string) => string
  act?: (page: Page) => Promise<void>
  /** Not available on a phone. */
  isByKeys?: true
}

const press = (key: string) => async (page: Page) => {
  await page.keyboard.press(key)
  await page.locator('.dialog').waitFor()
}

async function openBlock(page: Page) {
  await page.locator('[data-block]').first().click()
  await page.getByRole('complementary', { name: 'Block' }).waitFor()
}

async function openUsage(page: Page) {
  await page.getByRole('button', { name: 'Usage' }).first().click()
  await page.getByRole('table').waitFor()
}

async function preview(page: Page) {
  await page.locator('button[data-keys="p"]').click()
  await page.getByRole('complementary', { name: 'Plan' }).waitFor()
}

async function findTime(page: Page) {
  await page.getByRole('button', { name: 'More ways to plan' }).click()
  await page.getByRole('menuitem', { name: 'Find a time' }).click()
  await page.getByRole('list', { name: 'Proposed times' }).waitFor()
}

// Every picture shows a Tuesday morning, the next one: PostgreSQL keeps the real time, and the clock must not be behind it.
const zone = 'Europe/Berlin'
const next = Temporal.Now.zonedDateTimeISO(zone).add({ days: 7 })
const tuesday = next.subtract({ days: (next.dayOfWeek + 5) % 7 }).toPlainDate()
const shownAt = tuesday.toZonedDateTime({ timeZone: zone, plainTime: '10:17' }).epochMilliseconds
const aheadMs = shownAt - Date.now()
const now = () => new Date(Date.now() + aheadMs)
const monday = tuesday.subtract({ days: 1 }).toString()
// A phone shows one day: the next one.
const workday = tuesday.add({ days: 1 }).toString()
const calendar = (_: Ids, look: string) => `/calendar?w=${look === 'phone' ? workday : monday}`

const screens: Screen[] = [
  ...[
    'today',
    'tasks',
    'projects',
    'documents',
    'insight',
    'notifications',
    'archive',
    'admin/users',
    ...[
      'profile',
      'schedule',
      'planning',
      'spaces',
      'labels',
      'appearance',
      'shortcuts',
      'keys',
      'sessions',
      'webhooks',
      'usage',
      'export',
    ].map((page) => `settings/${page}`),
  ].map((path) => ({ name: path.replace('/', '-'), path: () => `/${path}` })),
  { name: 'admin-usage', path: () => '/admin/users', act: openUsage },
  { name: 'calendar', path: calendar },
  { name: 'board', path: () => '/tasks?view=board' },
  { name: 'task', path: ({ taskId }) => `/tasks/${taskId}` },
  { name: 'project', path: ({ projectId }) => `/projects/${projectId}` },
  { name: 'document', path: ({ documentId }) => `/documents/${documentId}` },
  { name: 'block', path: calendar, act: openBlock },
  { name: 'plan', path: calendar, act: preview },
  { name: 'find-time', path: calendar, act: findTime },
  { name: 'quick-add', path: calendar, act: press('q'), isByKeys: true },
  { name: 'palette', path: calendar, act: press('Control+k'), isByKeys: true },
  { name: 'shortcuts', path: calendar, act: press('?'), isByKeys: true },
]

const named = process.argv.slice(2)
if (named.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await withDatabase(async (url) => {
  await migrate(url)
  const api = await startService(url, now)
  const browser = await launch()
  const options = { baseURL: api.origin, locale: 'en-GB', reducedMotion: 'reduce' } as const
  const signUp = (context: BrowserContext, name: string) => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`
    const account = { email, password, name, timezone: zone }
    return post(context, api.origin, '/api/auth/sign-up/email', account)
  }
  try {
    const door = await browser.newContext(options)
    await signUp(door, 'Ada Lovelace')
    for (const name of ['Mei Tanaka', 'Priya Raman']) {
      const other = await browser.newContext(options)
      await signUp(other, name)
      await other.close()
    }
    const issued = await post(door, api.origin, '/api/api-keys', {
      name: 'Scripts',
      scopes: ['read', 'write', 'planner', 'webhooks'],
    })
    const { key } = issued as { key: string }
    const ids = await livedIn(createClient({ baseUrl: api.origin, apiKey: key }), now())
    const storageState = await door.storageState()
    for (const [look, window] of Object.entries(looks)) {
      const outside = await browser.newContext({ ...options, ...window })
      await shoot(outside, 'sign-in', '/login')
      await shoot(outside, 'sign-up', '/signup')
      const inside = await browser.newContext({ ...options, ...window, storageState })
      await shoot(inside, 'welcome', '/welcome')
      for (const { name, path, act, isByKeys } of screens) {
        if (isByKeys && look === 'phone') continue
        await shoot(inside, name, path(ids, look), act)
      }
      await outside.close()
      await inside.close()

      async function shoot(
        context: BrowserContext,
        name: string,
        path: string,
        act?: Screen['act'],
      ) {
        if (named.length > 0 && !named.includes(name)) return
        const page = await context.newPage()
        await page.clock.install({ time: now() })
        await page.goto(path)
        await page.locator('#main, form, main').first().waitFor()
        await page.waitForTimeout(700)
        await act?.(page)
        await page.waitForTimeout(200)
        await page.screenshot({ path: `${folder}${name}-${look}.png` })
        await page.close()
      }
    }
  } finally {
    await browser.close()
    await api.stop()
  }
})
