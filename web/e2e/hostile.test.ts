// User content is never executed. Three layers prevent it, and each is tested here without the other two. A test
// without any layer shows that the payloads are harmful.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import rehypeRaw from 'rehype-raw'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import type { Browser, Page } from '@playwright/test'
import { unified } from 'unified'
import { Rendered } from '../src/features/documents/markdown/renderer.tsx'
import { sanitise } from '../src/features/documents/markdown/sanitiser.ts'
import { payloads } from './hostile-payloads.ts'
import { describe, expect, it } from './it.ts'

// Each payload takes a page load in each of three tests, so a run draws 60 at random; PAYLOADS=all uses all.
const drawn =
  process.env['PAYLOADS'] === 'all'
    ? payloads
    : payloads
        .map((text) => ({ text, order: Math.random() }))
        .toSorted((one, two) => one.order - two.order)
        .slice(0, 60)
        .map(({ text }) => text)
const pagesAtOnce = 4
const settleMs = 40

/** Without protection: raw HTML and every URL scheme. */
const parsed = () =>
  unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw)
const unsafe = (text: string) => String(parsed().use(rehypeStringify).processSync(text))

const byRenderer = (text: string) =>
  renderToStaticMarkup(
    createElement(
      'main',
      {},
      createElement('h1', { title: text }, text),
      createElement('input', { defaultValue: text }),
      createElement(Rendered, { text }),
    ),
  )
const bySanitiser = (text: string) =>
  String(parsed().use([sanitise]).use(rehypeStringify).processSync(text))
const unprotected = (text: string) =>
  `<title>${text}</title><input value="${text}"><main>${unsafe(text)}</main>${text}`

// Each test loads 60 pages, and a trace would have a picture of each.
it.use({ trace: 'off' })

describe('hostile payloads', () => {
  it('are 200, all different', () => {
    expect(new Set(payloads).size).toBe(200)
  })

  it('are harmful without protection', async ({ browser }) => {
    const harmful = await tryAll(browser, payloads, unprotected)
    // The others need another browser, an old version, or a half-broken layer.
    expect(harmful.length).toBeGreaterThan(120)
  })

  it('are stopped by the renderer alone', async ({ browser }) => {
    expect(await tryAll(browser, drawn, byRenderer)).toEqual([])
  })

  it('are stopped by the sanitiser alone', async ({ browser }) => {
    expect(await tryAll(browser, drawn, bySanitiser)).toEqual([])
  })

  it('are stopped by the content security policy alone', async ({ browser, origin }) => {
    const policy = (await fetch(origin)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")

    expect(await tryAll(browser, drawn, unprotected, policy)).toEqual([])
  })

  it('are plain text in the app itself', async ({ ada: { page, api, open } }) => {
    let hits = 0
    await page.exposeFunction('hit', () => (hits += 1))
    for (let from = 0; from < payloads.length; from += 20) {
      await Promise.all(
        payloads
          .slice(from, from + 20)
          .map((text) => api.documents.create({ title: text, content: text })),
      )
    }
    const all = await api.documents.create({ title: 'All', content: payloads.join('\n\n') })
    const project = await api.projects.create({ name: payloads[30] ?? '' })
    await api.tasks.create({ title: payloads[31] ?? '', projectId: project.id })

    await open('/documents')
    await page.getByText('<script>hit()</script>', { exact: true }).first().waitFor()
    await open(`/documents/${all.id}?view=both`)
    await page.getByLabel('Preview').getByText('<img src=x onerror=hit()>').first().waitFor()
    await provoke(page, '.prose')
    await open(`/projects/${project.id}`)
    await page.getByRole('link', { name: payloads[31] ?? '', exact: true }).waitFor()

    expect(hits).toBe(0)
  })
})

describe('named character references', () => {
  const text = 'Tom &amp; Jerry &copy; 2026, a&nbsp;b, &lt;img src=x onerror=hit()&gt;, &notAName;'

  it('are shown as characters', async ({ ada: { page, api, open } }) => {
    const { id } = await api.documents.create({ title: 'References', content: text })

    await open(`/documents/${id}?view=both`)

    await page
      .getByLabel('Preview')
      .getByText('Tom & Jerry © 2026, a\u00A0b, <img src=x onerror=hit()>, &notAName;')
      .waitFor()
  })
})

/** Loads each payload in a page made by `layer`. Returns the payloads that were executed. */
async function tryAll(
  browser: Browser,
  texts: string[],
  layer: (text: string) => string,
  policy?: string,
) {
  const context = await browser.newContext()
  const harmful = new Set<string>()
  const loaded = new Map<Page, string>()
  const queue = [...texts]
  await context.exposeBinding('hit', ({ page }) => harmful.add(loaded.get(page) ?? ''))
  await context.route('**/*', (route) => {
    const request = route.request()
    const headers: Record<string, string> = policy ? { 'content-security-policy': policy } : {}
    if (request.url() !== 'http://hostile.test/') return route.fulfill({ status: 404, body: '' })
    const body = pageOf(layer(loaded.get(request.frame().page()) ?? ''))
    return route.fulfill({ contentType: 'text/html', headers, body })
  })

  async function work() {
    const page = await context.newPage()
    for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
      loaded.set(page, text)
      await page.goto('http://hostile.test/')
      await page.waitForTimeout(settleMs)
      await provoke(page)
      await page.waitForTimeout(settleMs)
    }
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, work))
  await context.close()
  return [...harmful]
}

const pageOf = (body: string) => `<!doctype html><meta charset=utf-8><body>${body}</body>`

/**
 * Hovers, clicks and focuses everything. Only script URLs are followed: a page that navigates elsewhere would disturb
 * the load of the next payload.
 */
const provoke = (page: Page, within = 'body') =>
  page.evaluate((selector) => {
    const isScript = (url = '') => /^\s*javascript/i.test(url)
    addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement | SVGAElement>('a, area')
      const url = typeof link?.href === 'object' ? link.href.animVal : link?.href
      if (link && !isScript(url)) event.preventDefault()
    })
    addEventListener('submit', (event) => {
      const url =
        event.submitter?.getAttribute('formaction') ?? (event.target as HTMLFormElement).action
      if (!isScript(url)) event.preventDefault()
    })
    const names = ['mouseover', 'mouseenter', 'pointerdown', 'wheel', 'input', 'focus', 'close']
    for (const element of document.querySelectorAll<HTMLElement>(`${selector} *`)) {
      for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true }))
      element.removeAttribute('target')
      if ('click' in element) element.click()
      else (element as Element).dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
  }, within)
