import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = `${root}web/dist/index.html`
const sources = [
  'web/src',
  'web/build',
  'web/public',
  'web/index.html',
  'client/src',
  'contract/src',
  'quick-add/src',
  'scheduler/src/problem',
]

/** Builds the web app if its source is newer than the last build. */
export function buildIfOlder() {
  if (existsSync(page) && statSync(page).mtimeMs > newest()) return
  const args = ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']
  // NODE_ENV=test would make it a development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit', env })
}

const newest = () =>
  Math.max(
    ...sources
      .flatMap((source) =>
        source.includes('.')
          ? [root + source]
          : readdirSync(root + source, { recursive: true }).map(
              (file) => `${root}${source}/${String(file)}`,
            ),
      )
      .map((file) => statSync(file).mtimeMs),
  )
