// Accounts, keys and the secret without HTTP, for the first admin and for scripts. Only the key goes to standard
// output: KEY=$(npm run --silent account -- create --email ada@example.com)
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import {
  createAccount,
  issueKeyFor,
  makeAdminOf,
  resetPassword,
} from '../src/features/account/account-command.ts'
import { rotateSecret } from '../src/features/account/rotate-secret.ts'
import { connect } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { requireCurrentSchema } from '../src/platform/db/schema-version.ts'
import { printUsage, runCommand } from './command.ts'

const usage = `npm run account -- create --email EMAIL [--name NAME] [--password-stdin] [--timezone ZONE] [--admin]
                          [--create-database]
npm run account -- key --email EMAIL [--key-name NAME] [--scopes read,write,planner,webhooks]
npm run account -- admin --email EMAIL
npm run account -- password --email EMAIL [--password-stdin]
npm run account -- rotate-secret

Without --password-stdin, a password is generated and printed to standard error.
--create-database: create the database if there is none yet.
rotate-secret: encrypts everything again with AUTH_SECRET. AUTH_SECRET_PREVIOUS is its former value.`

const { command, email, values } = readArguments()
const mayCreate = command === 'create' && values['create-database']

await runCommand({
  mayCreate,
  async work(url, config) {
    if (mayCreate) await migrate(url)
    await requireCurrentSchema(url)
    const db = connect(url)
    try {
      const now = new Date()
      const { name = email.split('@')[0] ?? '', timezone, admin } = values
      if (command === 'create') {
        const { password, shown } = await choosePassword(values['password-stdin'])
        await createAccount(db, config, { email, name, password, timezone, admin })
        process.stderr.write(`Account ${email}${shown}\n`)
      }
      if (command === 'password') {
        const { password, shown } = await choosePassword(values['password-stdin'])
        await resetPassword(db, email, password, now)
        process.stderr.write(`All sessions of ${email} have ended${shown}\n`)
      }
      if (command === 'rotate-secret') {
        const { renewed, lost } = await rotateSecret(db, config)
        process.stderr.write(
          `Encrypted again: ${renewed}. Encrypted with an unknown secret: ${lost}\n`,
        )
      }
      if (command === 'admin') await makeAdminOf(db, email)
      if (command === 'create' || command === 'key') {
        const key = { name: values['key-name'], scopes: values.scopes }
        process.stdout.write(`${await issueKeyFor(db, email, key, now)}\n`)
      }
    } finally {
      await db.end()
    }
  },
})

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        name: { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
        timezone: { type: 'string' },
        admin: { type: 'boolean', default: false },
        'key-name': { type: 'string', default: 'command line' },
        scopes: { type: 'string' },
        'create-database': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) printUsage(usage, true)
    const [command] = positionals
    const { email = '' } = values
    const isOfOne = ['create', 'key', 'admin', 'password'].includes(command ?? '')
    const isKnown = isOfOne ? email !== '' : command === 'rotate-secret' && email === ''
    return isKnown ? { command, email, values } : printUsage(usage, false)
  } catch {
    return printUsage(usage, false)
  }
}

/** Reads or generates the password. Never an argument: other users can see arguments, and shells record them. */
async function choosePassword(isGiven: boolean) {
  if (isGiven) return { password: (await text(process.stdin)).replace(/\r?\n$/, ''), shown: '' }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: `, password ${password}` }
}
