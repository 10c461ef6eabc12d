// npm run bench -- web: the size of the app, and its speed with 2,000 tasks and 500 blocks.
import { launch } from '../e2e/browser.ts'
import { startApi } from '../../server/bench/start-api.ts'
import { withDatabase } from '../../server/bench/with-database.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import {
  measureDrag,
  measureInteractions,
  measureLoad,
  measureNews,
  measureScroll,
} from './measure.ts'
import { firstLoad } from './size.ts'
import { furnish } from './world.ts'

const line = (name: string, value: number, unit: string, most?: number) =>
  process.stdout.write(
    `${name.padEnd(44)} ${value.toFixed(unit === 'ms' ? 0 : 1).padStart(8)} ${unit}` +
      `${most === undefined ? '' : `   (at most ${most})${value > most ? '  TOO MUCH' : ''}`}\n`,
  )

for (const { name, gzip, brotli } of firstLoad()) {
  line(`${name}, gzip`, gzip, 'KB', name === 'scripts' ? 200 : undefined)
  line(`${name}, brotli`, brotli, 'KB')
}

await withDatabase(async (url) => {
  await migrate(url)
  const api = await startApi(url)
  const browser = await launch()
  try {
    const context = await browser.newContext({
      baseURL: api.origin,
      viewport: { width: 1440, height: 900 },
    })
    const monday = await furnish(context, api.origin)
    const page = await context.newPage()
    const first = await measureLoad(page, `/calendar?w=${monday}`)
    line('largest paint, first visit', first.largestPaint, 'ms', 1500)
    line('blocks on the page, first visit', first.usable, 'ms')
    const again = await measureLoad(page, `/calendar?w=${monday}`)
    line('largest paint, again', again.largestPaint, 'ms', 1500)
    line('blocks on the page, again', again.usable, 'ms')
    for (const { name, middle, longest } of await measureInteractions(page)) {
      line(name, middle, 'ms', 100)
      line('  at the longest', longest, 'ms')
    }
    line('a change made elsewhere is on the page', await measureNews(page, monday), 'ms', 1000)
    const drag = await measureDrag(page)
    line('script, style and layout per move of a drag', drag, 'ms', 16)
    await page.goto('/tasks?group=none')
    await page.getByRole('row').first().waitFor()
    line('CPU per step of scrolling the tasks', await measureScroll(page), 'ms', 16)
  } finally {
    await browser.close()
    await api.stop()
  }
})
