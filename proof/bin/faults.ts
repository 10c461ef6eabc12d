// npm run faults -- refresh [patch …]
//
// Adapts the patches of the planted faults to sources that have changed: lines, context and paths. Prints what has
// moved, and every patch that no longer fits; those are left as they are. Exits with 1 if a patch does not fit.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { linesOf } from '../src/kit/patch.ts'
import { refreshPatch } from '../src/kit/refresh-patch.ts'

const [command, ...chosen] = parseArgs({ allowPositionals: true }).positionals
if (command !== 'refresh') {
  process.stderr.write('npm run faults -- refresh [patch …]\n')
  process.exit(2)
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => file && existsSync(file))
const isSource = (file: string) =>
  /^(contract|scheduler|quick-add|ical|caldav|recurrence|client|server|web)\/.*\.tsx?$/.test(
    file,
  ) && !file.includes('.test.')
const sources = new Map(
  files.filter(isSource).map((file) => [file, linesOf(readFileSync(file, 'utf8'))]),
)
const patches = chosen.length > 0 ? chosen : files.filter((file) => file.endsWith('.patch'))

let rewritten = 0
const misfits: string[] = []
for (const patch of patches) {
  const before = readFileSync(patch, 'utf8')
  const { text, notes, misfit } = refreshPatch(before, sources)
  for (const note of notes) process.stdout.write(`${patch}: ${note}\n`)
  if (text === undefined) {
    misfits.push(`NO LONGER FITS: ${patch}: ${misfit}\n`)
  } else if (text !== before) {
    rewritten += 1
    writeFileSync(patch, text)
  }
}
process.stdout.write(
  `${misfits.join('')}${patches.length} patches: ${rewritten} rewritten, ${misfits.length} that no longer fit\n`,
)
process.exit(misfits.length > 0 ? 1 : 0)
