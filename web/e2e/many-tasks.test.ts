// Ten thousand tasks: only visible rows are drawn, so scrolling costs no more than with a few hundred.
import pg from 'pg'
import { measureScroll } from '../bench/measure.ts'
import { describe, expect, it, type Person } from './it.ts'

const few = 400
const count = 10_000

describe('ten thousand tasks', () => {
  it('scroll smoothly', async ({ ada, database }) => {
    const { page, open } = ada
    const list = page.getByRole('grid', { name: 'Tasks' })
    const openList = async (rows: number) => {
      await open('/tasks?group=none')
      await expect.poll(() => list.getAttribute('aria-rowcount')).toBe(String(rows))
    }
    await makeTasks(ada, database, few)
    await openList(few)
    const cpuMsOfFew = await measureScroll(page)
    await makeTasks(ada, database, count - few)
    await openList(count)
    const cpuMs = await measureScroll(page)

    console.info(
      `Scrolling ${count} tasks: ${cpuMs.toFixed(1)} ms of CPU a step, ${few} tasks: ${cpuMsOfFew.toFixed(1)} ms`,
    )
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    expect(cpuMs / cpuMsOfFew).toBeLessThan(2)

    await page.getByRole('row').first().focus()
    await page.keyboard.press('End')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex')))
      .toBe(String(count))
  })
})

/** Creates tasks directly in the database: the service would take longer than the rest of this file. */
async function makeTasks({ api }: Person, database: string, number: number) {
  const { id } = await api.user.get()
  const [space] = await api.spaces.list()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query(
    `insert into tasks (user_id, id, title, status, space_id, estimate_minutes)
     select $1, gen_random_uuid(), 'Task ' || n, 'todo', $2, 15 + n % 8 * 15
       from generate_series(1, $3::int) n`,
    [id, space?.id, number],
  )
  await client.end()
}
