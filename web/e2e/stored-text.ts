import type { Page } from '@playwright/test'

/** Everything that the app has stored in IndexedDB, as JSON. */
export const storedText = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opened = indexedDB.open('keyval-store')
        let isMissing = false
        // Abort: a commit would create a database without a store, which the app could not use.
        opened.addEventListener('upgradeneeded', () => {
          isMissing = true
          opened.transaction?.abort()
        })
        opened.addEventListener('error', () =>
          isMissing ? resolve('[]') : reject(new Error('It does not open')),
        )
        opened.addEventListener('success', () => {
          const { result } = opened
          const all = result.transaction('keyval').objectStore('keyval').getAll()
          all.addEventListener('success', () => {
            result.close()
            resolve(JSON.stringify(all.result))
          })
        })
      }),
  )

type Stored = {
  clientState: { queries: { queryKey: unknown[]; state: { data: unknown } }[] }
} | null

/** The titles of the stored blocks, which the calendar shows while offline. */
export async function storedBlocks(page: Page) {
  const stored = JSON.parse(await storedText(page)) as Stored[]
  return stored
    .flatMap((each) => each?.clientState.queries ?? [])
    .filter(({ queryKey: [name, from] }) => name === 'blocks' && typeof from === 'number')
    .flatMap(({ state }) => (state.data as { title: string }[]).map(({ title }) => title))
}
