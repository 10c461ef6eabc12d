import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('./sw.js', import.meta.url))
// Fonts for other alphabets are fetched when a title needs them, and cached from then on.
const isNeeded = (file: string) =>
  !file.endsWith('.map') && (!file.endsWith('.woff2') || file.includes('latin-wght'))

/** Writes `sw.js` with the list of files to cache for offline use. */
export function serviceWorker(): Plugin {
  return {
    name: 'daywright:service-worker',
    apply: 'build',
    generateBundle: {
      // After Vite has removed the chunks that hold nothing but CSS.
      order: 'post',
      handler(_options, bundle) {
        const shell = ['/', '/theme.js', '/manifest.webmanifest', '/icon.svg']
        const files = Object.keys(bundle)
          .filter((file) => file.startsWith('assets/') && isNeeded(file))
          .map((file) => `/${file}`)
        const html = bundle['index.html']
        const version = createHash('sha256')
          .update(JSON.stringify([files, html?.type === 'asset' ? String(html.source) : '']))
          .digest('hex')
          .slice(0, 12)
        const text = readFileSync(source, 'utf8')
          .replace("'__VERSION__'", JSON.stringify(version))
          .replace("'__FILES__'", JSON.stringify([...shell, ...files]))
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: text })
      },
    },
  }
}
