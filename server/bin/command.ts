// Shared by the commands (account, backup, restore, migrate): they print the database they use to standard
// error, report errors without a stack, and leave nothing running.
import { getSystemErrorMessage } from 'node:util'
import type { Config } from '../src/config.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

type Command = {
  /** Whether the command may create the bundled PostgreSQL's data folder. */
  mayCreate: boolean
  /** Checks that run before the database is started. */
  before?: () => Promise<void>
  work: (url: string, config: Config) => Promise<void>
}

export async function runCommand({ mayCreate, before, work }: Command) {
  const config = settings()
  try {
    const database = chooseDatabase(config)
    process.stderr.write(`Database: ${database.describe}\n`)
    if (!mayCreate && !database.exists()) throw new Error(noDatabase)
    await before?.()
    await database.start()
    try {
      await work(database.url, config)
    } finally {
      await database.stop()
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error as NodeJS.ErrnoException)}\n`)
    process.exitCode = 1
  }
}

const noDatabase =
  'There is no database yet. Use the same user and the same DAYWRIGHT_DATA or DATABASE_URL as the ' +
  'service. Nothing was created'

/** `ENOENT: no such file or directory, open 'x'` becomes `x: no such file or directory`. */
function messageOf({ errno, path, message }: NodeJS.ErrnoException) {
  return errno !== undefined && path ? `${path}: ${getSystemErrorMessage(errno)}` : message
}

/** Prints the usage and exits: with 0 if it was asked for, otherwise with 2. */
export function printUsage(usage: string, isAskedFor: boolean): never {
  process[isAskedFor ? 'stdout' : 'stderr'].write(`${usage}\n`)
  process.exit(isAskedFor ? 0 : 2)
}
