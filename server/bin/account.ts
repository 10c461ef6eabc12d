// Accounts and keys without HTTP, for the first admin and for scripts. The key is all that goes to
// standard output: KEY=$(npm run --silent account -- create --email ada@example.com)
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createAccount, issueKeyFor, makeAdminOf } from '../src/auth/account-command.ts'
import { connect } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

const usage = `npm run account -- create --email EMAIL [--name NAME] [--password PASSWORD] [--timezone ZONE] [--admin]
npm run account -- key --email EMAIL [--key-name NAME]
npm run account -- admin --email EMAIL`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    password: { type: 'string' },
    timezone: { type: 'string' },
    admin: { type: 'boolean', default: false },
    'key-name': { type: 'string', default: 'command line' },
  },
})
const { email, name = email?.split('@')[0] ?? '', timezone, admin } = values
const [command] = positionals
if (!email || !['create', 'key', 'admin'].includes(command ?? '')) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

const config = settings()
const database = chooseDatabase(config)
await database.start()
await migrate(database.url)
const db = connect(database.url)
try {
  const now = new Date()
  if (command === 'create') {
    const password = values.password ?? randomBytes(15).toString('base64url')
    await createAccount(db, config, { email, name, password, timezone, admin })
    process.stderr.write(`Account ${email}`)
    process.stderr.write(values.password ? '\n' : `, password ${password}\n`)
  }
  if (command === 'admin') await makeAdminOf(db, email)
  else process.stdout.write(`${await issueKeyFor(db, email, values['key-name'], now)}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await db.end()
  await database.stop()
}
