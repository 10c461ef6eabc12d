// npm run migrate: applies pending migrations without starting the service.
import { parseArgs } from 'node:util'
import { migrate } from '../src/platform/db/migrate.ts'
import { printUsage, runCommand } from './command.ts'

const usage = `npm run migrate [-- --create-database]

Brings the database up to date. --create-database: create it if there is none yet.`

const { help, 'create-database': mayCreate } = readArguments()
if (help) printUsage(usage, true)
await runCommand({ mayCreate, work: (url) => migrate(url) })

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false } as const
    return parseArgs({ options: { help: flag, 'create-database': flag } }).values
  } catch {
    return printUsage(usage, false)
  }
}
