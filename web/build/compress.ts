import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const worthwhile = /\.(js|css|html|svg|json|webmanifest)$/

/** Writes .br and .gz beside every text file, so that the server need not compress. */
export function compress(): Plugin {
  return {
    name: 'daywright:compress',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
      const files = [...Object.keys(bundle), 'theme.js', 'manifest.webmanifest', 'icon.svg']
      for (const file of files.filter((each) => worthwhile.test(each))) {
        const text = readFileSync(join(dir, file))
        if (text.length < 1000) continue
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(text, { params }))
        writeFileSync(join(dir, `${file}.gz`), gzipSync(text, { level: 9 }))
      }
    },
  }
}
