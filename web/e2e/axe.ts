import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let script: Promise<string> | undefined

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong on the page as it is now, in a line each; to be equal to []. */
export async function faultsOf(page: Page) {
  script ??= readFile(source, 'utf8')
  // Not before everything has faded in: what is half transparent has no contrast.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
  await page.evaluate(await script)
  const { violations } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run(
        { runOnly: { type: 'tag', values } },
      ),
    tags,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  )
}

/** The same in light and in dark. */
export async function faultsInBothThemes(page: Page) {
  const faults: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme)
    faults.push(...(await faultsOf(page)).map((fault) => `${theme}: ${fault}`))
  }
  return faults
}
