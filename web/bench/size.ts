import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'

type Chunk = { file: string; imports?: string[]; css?: string[] }

const dist = new URL('../dist/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, dist))

const manifest = () => JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Chunk>

/** The files that are needed before the calendar can be used. */
export function firstLoad() {
  const chunks = new Map<string, Chunk>()
  const all = manifest()
  const need = (name: string) => {
    const chunk = all[name]
    if (!chunk || chunks.has(name)) return
    chunks.set(name, chunk)
    for (const other of chunk.imports ?? []) need(other)
  }
  need('index.html')
  need('src/features/calendar/calendar-screen.tsx')
  const scripts = [...chunks.values()].map(({ file }) => file)
  const styles = [...new Set([...chunks.values()].flatMap(({ css = [] }) => css))]
  return [weighed('scripts', scripts), weighed('styles', styles)]
}

const weighed = (name: string, files: string[]) => ({
  name,
  gzip: sum(files.map((file) => gzipSync(read(file), { level: 9 }).length)) / 1024,
  brotli: sum(files.map((file) => brotliCompressSync(read(file)).length)) / 1024,
})

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

export const scripts = () => Object.values(manifest()).map(({ file }) => file)
export const textOf = (file: string) => read(file).toString()
