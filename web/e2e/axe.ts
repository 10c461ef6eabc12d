import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults, RunOnly } from 'axe-core'
import type { Page } from '@playwright/test'

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let script: Promise<string> | undefined

const everything: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** The rules that check colours; the other rules give the same result in every theme. */
const colours: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The violations that axe finds on the page, one line each; compare with []. */
export async function faultsOf(page: Page, runOnly = everything) {
  script ??= readFile(source, 'utf8')
  // Wait for the end of all animations: half-transparent text has too little contrast.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await script)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<AxeResults> }
    }
    const options = { runOnly: only, resultTypes: ['violations'], selectors: false }
    // Return only the violations: the passed checks take megabytes.
    const { violations } = await axe.run(options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
    )
  }, runOnly)
}

/** The violations in the light and in the dark theme; compare with []. */
export async function faultsInBothThemes(page: Page) {
  const faults: string[] = []
  for (const [theme, rules] of Object.entries({ light: everything, dark: colours })) {
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme)
    faults.push(...(await faultsOf(page, rules)).map((fault) => `${theme}: ${fault}`))
  }
  return faults
}
