import type { Page } from '@playwright/test'

type Seen = { largestPaint: number; interaction: number }
declare global {
  interface Window {
    seen: Seen
  }
}

/** Until the last large paint, and until there are blocks. */
export async function measureLoad(page: Page, path: string) {
  await page.addInitScript(() => {
    window.seen = { largestPaint: 0, interaction: 0 }
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) window.seen.largestPaint = startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const options = { type: 'event', buffered: true, durationThreshold: 16 }
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        window.seen.interaction = Math.max(window.seen.interaction, duration)
      }
    }).observe(options)
  })
  await page.goto(path)
  await page.locator('[data-block]').first().waitFor()
  const usable = await page.evaluate(() => performance.now())
  await page.waitForTimeout(2500)
  return { usable, ...(await page.evaluate(() => window.seen)) }
}

const rounds = 7

/**
 * From the press to the next paint, as the browser counts it: the longest event of each press, and
 * of several presses the median and the longest.
 */
export async function measureInteractions(page: Page) {
  const block = page.locator('[data-block]').nth(40)
  const filter = page.getByLabel('Filter tasks')
  await block.scrollIntoViewIfNeeded()
  const acts: Record<string, () => Promise<void>> = {
    'select a block': () => block.click({ force: true }),
    'close its panel': () => page.keyboard.press('Escape'),
    'lock a block': () => page.keyboard.press('l'),
    'next week': () => page.keyboard.press('j'),
    'and back': () => page.keyboard.press('k'),
    'type in the filter': () => filter.pressSequentially('12'),
  }
  const measured = Object.entries(acts).map(([name, act]) => ({ name, act, waits: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { act, waits } of measured) {
      await page.evaluate(() => (window.seen.interaction = 0))
      await act()
      await page.waitForTimeout(700)
      waits.push(await page.evaluate(() => window.seen.interaction))
    }
    await filter.fill('')
    await filter.blur()
  }
  return measured.map(({ name, waits }) => {
    const sorted = waits.toSorted((a, b) => a - b)
    return { name, middle: sorted[Math.floor(rounds / 2)] ?? NaN, longest: sorted.at(-1) ?? NaN }
  })
}

/** From the service's answer to another client until that client's block is on the page. */
export async function measureNews(page: Page, monday: string) {
  const { request } = page.context()
  const headers = { origin: new URL(page.url()).origin }
  const post = async (path: string, data: object) =>
    (await (await request.post(path, { headers, data })).json()) as { id: string }
  const { id: taskId } = await post('/api/tasks', { title: 'News from elsewhere' })
  const startAt = `${monday}T10:00:00Z`
  await post('/api/time-blocks', { taskId, startAt, endAt: `${monday}T11:00:00Z` })
  const before = Date.now()
  await page.locator('[data-block]', { hasText: 'News from elsewhere' }).waitFor()
  return Date.now() - before
}

const moves = 120

/** The main thread's work for one pointer move, without painting. */
export async function measureDrag(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const counted = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
    return metrics
      .filter(({ name }) => counted.includes(name))
      .reduce((sum, { value }) => sum + value, 0)
  }
  const box = await page.locator('[data-block]').nth(40).boundingBox()
  if (!box) throw new Error('There is no block to drag')
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 10)
  const before = await spent()
  for (let move = 0; move < moves; move += 1) {
    await page.mouse.move(from.x + move * 3, from.y + Math.sin(move / 6) * 150)
  }
  const after = await spent()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return ((after - before) / moves) * 1000
}

const steps = 120

/** The CPU time of one step of scrolling a grid, in milliseconds. */
export async function measureScroll(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await cpuSeconds()
  await page.evaluate(async (frames) => {
    const grid = document.querySelector('[role=grid]')
    for (let step = 0; step < frames; step += 1) {
      // As fast as a mouse wheel: six screens per second.
      if (grid) grid.scrollTop += 80
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, steps)
  return (((await cpuSeconds()) - before) * 1000) / steps
}
