// The files of the built web app, with their types and compressed forms, read once.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Encoding = 'br' | 'gzip' | 'identity'

export type WebFile = {
  type: string
  tag: string
  /** The name contains a hash of the content, so it can be cached for ever. */
  isHashed: boolean
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

const builtWeb = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

/** Reads the files, by path such as `/assets/index-….js`. Empty if the app has not been built. */
export function readWebFiles(folder = builtWeb) {
  const files = new Map<string, WebFile>()
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const type = types[extname(name)]
    if (type) files.set(`/${name.replaceAll('\\', '/')}`, readWebFile(folder, name, type))
  }
  return files
}

function readWebFile(folder: string, name: string, type: string): WebFile {
  const identity = readFileSync(folder + name)
  const other = (ending: string) =>
    existsSync(folder + name + ending) ? readFileSync(folder + name + ending) : undefined
  const [br, gzip] = [other('.br'), other('.gz')]
  return {
    type,
    tag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    isHashed: name.startsWith('assets'),
    bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
  }
}
