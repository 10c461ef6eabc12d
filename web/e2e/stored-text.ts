import type { Page } from 'playwright-core'

/** All that the app has in IndexedDB, as JSON. */
export const storedText = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opened = indexedDB.open('keyval-store')
        let isMissing = false
        // Left to commit, it would be a database without a store, in which the app can keep nothing.
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
