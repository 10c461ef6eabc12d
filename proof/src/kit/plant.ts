// Plants a fault: changes the service's sources as they are loaded and nowhere else, so that nothing of it is in
// the product. Loaded with --import before the program starts, and in its threads.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

export type Edit = {
  /** From the root of the repository. */
  file: string
  find: string
  replace: string
  /** Which occurrence, counted from 0. Without it there must be exactly one. */
  nth?: number
}

const root = new URL('../../../', import.meta.url)

/** The file's text with the fault. A fault that no longer fits is an error, never a miss. */
export function planted(edits: Edit[]) {
  const texts = new Map<string, string>()
  for (const { file, find, replace, nth } of edits) {
    const path = fileURLToPath(new URL(file, root))
    const parts = (texts.get(path) ?? readFileSync(path, 'utf8')).split(find)
    const places = parts.length - 1
    if (places === 0 || (nth === undefined ? places > 1 : nth >= places)) {
      throw new Error(`A planted fault does not fit: ${places} × ${find} in ${file}`)
    }
    const at = (nth ?? 0) + 1
    texts.set(path, parts.slice(0, at).join(find) + replace + parts.slice(at).join(find))
  }
  return texts
}

const wanted = process.env.DAYWRIGHT_PLANT
if (wanted) {
  const texts = new Map(
    [...planted(JSON.parse(wanted) as Edit[])].map(([path, text]) => [
      pathToFileURL(path).href,
      text,
    ]),
  )
  registerHooks({
    load(url, context, next) {
      const source = texts.get(url)
      return source === undefined
        ? next(url, context)
        : { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}
