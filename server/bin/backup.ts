// npm run backup -- FILE and npm run restore -- FILE [--webhooks]
import { parseArgs } from 'node:util'
import { readMigrations, restoreBackup } from '../src/platform/backup/restore-backup.ts'
import { writeBackup } from '../src/platform/backup/write-backup.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { printUsage, runCommand } from './command.ts'

const usage = `npm run backup -- FILE    writes all data to FILE; changes nothing in the database
npm run restore -- FILE   restores into a database without accounts; creates it if there is none
  --webhooks              keeps webhooks enabled: this copy replaces the original`

const { command, file, webhooks } = readArguments()

if (command === 'write') {
  await runCommand({
    mayCreate: false,
    async work(url) {
      process.stdout.write(`Wrote ${await writeBackup(url, file)} rows to ${file}\n`)
    },
  })
} else {
  let migrations: string[] = []
  await runCommand({
    mayCreate: true,
    async before() {
      migrations = await readMigrations(file)
    },
    async work(url) {
      // The rows fit the schema they were written with. Later migrations run after the rows are restored.
      await migrate(url, undefined, migrations)
      const rows = await restoreBackup(url, file, { sendsWebhooks: webhooks })
      await migrate(url)
      process.stdout.write(`Restored ${rows} rows from ${file}\n`)
    },
  })
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        webhooks: { type: 'boolean', default: false },
      },
    })
    if (values.help) printUsage(usage, true)
    const [command, file, ...more] = positionals
    if (!file || more.length > 0 || !['write', 'restore'].includes(command ?? '')) {
      return printUsage(usage, false)
    }
    return { command, file, webhooks: values.webhooks }
  } catch {
    return printUsage(usage, false)
  }
}
