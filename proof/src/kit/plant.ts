// Plants a fault by changing the service's sources only as they are loaded, so that the product contains no code for
// it. Loaded with --import before the program starts, and in its threads.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { applyPatches } from './patch.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The sources that the patches change, by path. Throws if a patch no longer fits. */
export const readPlanted = (patches: string[]) => applyPatches(patches.map(read), read)

const wanted = process.env.DAYWRIGHT_PLANT
if (wanted) {
  const planted = readPlanted(JSON.parse(wanted) as string[])
  const texts = new Map([...planted].map(([path, text]) => [new URL(path, root).href, text]))
  registerHooks({
    load(url, context, next) {
      const source = texts.get(url)
      return source === undefined
        ? next(url, context)
        : { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
