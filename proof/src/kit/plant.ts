// Plants a fault: changes the service's sources as they are loaded and nowhere else, so that nothing of it is in
// the product. Loaded with --import before the program starts, and in its threads.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { applyPatches } from './patch.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The sources that the patches change, by path. A patch that no longer fits is an error, never a miss. */
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
