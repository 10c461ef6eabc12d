// npm run sql: writes every statement as it is sent to PostgreSQL to server/sql, for reading and review.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import '../src/app.ts' // registers the statements of every feature
import '../src/features/account/account-command.ts'
import '../src/features/account/rotate-secret.ts'
import '../src/jobs/worker.ts'
import { dumpStatements } from '../src/platform/db/dump-statements.ts'
import { statements } from '../src/platform/db/statement.ts'

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
const folder = new URL('../sql/', import.meta.url)
await mkdir(folder, { recursive: true })
const files = dumpStatements(statements)
const old = new Map<string, string>()
for (const file of await readdir(folder))
  old.set(file, await readFile(new URL(file, folder), 'utf8'))

const changed = [...new Set([...files.keys(), ...old.keys()])].filter(
  (file) => files.get(file) !== old.get(file),
)
if (check) {
  for (const file of changed) process.stderr.write(`server/sql/${file} is out of date\n`)
  if (changed.length > 0) process.stderr.write('Run `npm run sql` and commit the files.\n')
  process.exit(changed.length > 0 ? 1 : 0)
}
for (const file of changed) {
  const text = files.get(file)
  if (text === undefined) await rm(new URL(file, folder))
  else await writeFile(new URL(file, folder), text)
}
process.stdout.write(`${files.size} files in server/sql, ${changed.length} changed\n`)
process.exit(0)
