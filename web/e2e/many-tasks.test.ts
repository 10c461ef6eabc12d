// Ten thousand tasks: only visible rows are drawn, and scrolling takes less than a frame.
import pg from 'pg'
import type { Page } from 'playwright-core'
import { describe, expect, it, type Person } from './it.ts'

const count = 10_000
const steps = 120

describe('ten thousand tasks', () => {
  it('scroll smoothly', async ({ ada, database }) => {
    const { page, open } = ada
    await makeTasks(ada, database)
    await open('/tasks?group=none')
    const list = page.getByRole('grid', { name: 'Tasks' })
    await list.waitFor()
    expect(await list.getAttribute('aria-rowcount')).toBe(String(count))

    const { cpuMsPerStep, longTasks } = await scroll(page)
    console.info(
      `Scrolling ${count} tasks: ${cpuMsPerStep.toFixed(1)} ms of CPU a step, ${longTasks} long tasks`,
    )
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    expect(cpuMsPerStep).toBeLessThan(16)

    await page.getByRole('row').first().focus()
    await page.keyboard.press('End')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex')))
      .toBe(String(count))
  })
})

/** Directly in the database: through the service it would take longer than the rest of this file. */
async function makeTasks({ api }: Person, database: string) {
  const { id } = await api.user.get()
  const [space] = await api.spaces.list()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(
    `insert into tasks (user_id, id, title, status, space_id, estimate_minutes)
     select $1, gen_random_uuid(), 'Task ' || n, 'todo', $2, 15 + n % 8 * 15
       from generate_series(1, $3::int) n`,
    [id, space?.id, count],
  )
  await client.end()
}

/** In thread time, which other work on the machine does not affect. */
async function scroll(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await cpuSeconds()
  const longTasks = await page.evaluate(async (frames) => {
    let long = 0
    const observer = new PerformanceObserver((list) => (long += list.getEntries().length))
    observer.observe({ type: 'longtask' })
    const grid = document.querySelector('[role=grid]')
    for (let step = 0; step < frames; step += 1) {
      // As fast as a mouse wheel: six screens per second.
      if (grid) grid.scrollTop += 80
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    observer.disconnect()
    return long
  }, steps)
  return { longTasks, cpuMsPerStep: (((await cpuSeconds()) - before) * 1000) / steps }
}
