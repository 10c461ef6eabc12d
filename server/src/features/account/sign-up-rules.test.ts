import { createHmac } from 'node:crypto'
import { type App, describe, expect, it as base, testApp } from '../../../test/it.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { type Config, readConfig } from '../../config.ts'
import { connect, type Database } from '../../platform/db/database.ts'
import { createAccount } from './account-command.ts'
import { isLoopback } from '../../platform/http/loopback.ts'
import { isExposed, signUpRules } from './sign-up-rules.ts'
import { instanceSecrets } from '../../platform/auth/secret.ts'

/** An instance without accounts, for each test. */
const it = base.extend('empty', async ({}, { onCleanup }) => {
  const { url, drop } = await testDatabase()
  const db = connect(url)
  onCleanup(async () => {
    await db.end()
    await drop()
  })
  return db
})

const reachable = { PUBLIC_URL: 'http://plan.example.com' }
let lastPerson = 0
const person = (more: object = {}) => ({
  email: `person-${++lastPerson}@example.com`,
  password: 'correct horse battery staple',
  name: 'Ada',
  ...more,
})

async function signUp(app: App, more: object = {}) {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: person(more),
  })
  const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  const isAdmin = async () =>
    (await app.inject({ url: '/api/user', headers: { cookie } })).json().isAdmin
  return { status: answer.statusCode, error: answer.json().error, isAdmin }
}

const stateOf = async (app: App) => (await app.inject({ url: '/api/auth/sign-up' })).json()

const rulesOf = (db: Database, config: Partial<Config>) =>
  signUpRules(db, { ...readConfig({}), ...config }, instanceSecrets(db).current)

describe('isLoopback', () => {
  it.for(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LOCALHOST'])(
    '%j is a loopback address',
    (host) => {
      expect(isLoopback(host)).toBe(true)
    },
  )

  it.for(['0.0.0.0', '::', '192.168.1.2', 'localhost.example.com', 'example.com', '128.0.0.1', ''])(
    '%j is not a loopback address',
    (host) => {
      expect(isLoopback(host)).toBe(false)
    },
  )
})

describe('isExposed', () => {
  it.for([
    [{}, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, true],
  ] as const)('%o: %s', ([settings, expected]) => {
    expect(isExposed(readConfig(settings))).toBe(expected)
  })
})

describe('on a loopback address', () => {
  it('sign-up is open, even after the first account, which is the admin', async ({
    empty,
    now,
  }) => {
    const app = await testApp(empty, () => now)
    expect(await stateOf(app)).toEqual({ open: true, needsSetupToken: false })

    const [first, second] = [await signUp(app), await signUp(app)]

    expect([first.status, second.status]).toEqual([200, 200])
    expect([await first.isAdmin(), await second.isAdmin()]).toEqual([true, false])
    expect(await stateOf(app)).toEqual({ open: true, needsSetupToken: false })
    expect(await rulesOf(empty, {}).pendingSetupToken()).toBeUndefined()
  })
})

describe('on a public address', () => {
  it.for([reachable, { HOST: '0.0.0.0' }])(
    'the first account needs the setup token, and sign-up is closed after it: %o',
    async (config, { empty, now }) => {
      const app = await testApp(empty, () => now, config)
      const setupToken = await rulesOf(empty, config).pendingSetupToken()
      expect(setupToken).toMatch(/^[\w-]{24}$/)
      expect(await stateOf(app)).toEqual({ open: true, needsSetupToken: true })

      const without = await signUp(app)
      const wrong = await signUp(app, { setupToken: 'x'.repeat(24) })
      expect([without.status, wrong.status]).toEqual([403, 403])
      expect(without.error).toBe(
        'The first account needs the setup token that the service logs at start',
      )
      expect(wrong.error).toBe('The setup token is wrong')
      const { rows } = await empty.pool.query('select from auth.users')
      expect(rows).toEqual([])

      const first = await signUp(app, { setupToken })
      expect([first.status, await first.isAdmin()]).toEqual([200, true])

      expect(await stateOf(app)).toEqual({ open: false, needsSetupToken: false })
      const late = await signUp(app, { setupToken })
      expect([late.status, late.error]).toEqual([403, 'Sign-up is closed'])
      expect(await rulesOf(empty, config).pendingSetupToken()).toBeUndefined()
    },
  )

  it('SIGN_UP=open accepts all sign-ups, but only one with the token becomes the admin', async ({
    empty,
    now,
  }) => {
    const config = { ...reachable, SIGN_UP: 'open' } as const
    const app = await testApp(empty, () => now, config)
    expect(await stateOf(app)).toEqual({ open: true, needsSetupToken: false })

    const stranger = await signUp(app)
    const operator = await signUp(app, {
      setupToken: await rulesOf(empty, config).pendingSetupToken(),
    })

    expect([stranger.status, operator.status]).toEqual([200, 200])
    expect([await stranger.isAdmin(), await operator.isAdmin()]).toEqual([false, true])
  })

  it('the command line creates the first account without the token', async ({ empty, now }) => {
    const app = await testApp(empty, () => now, reachable)

    await createAccount(empty, readConfig(reachable), { ...person(), admin: true })

    expect(await stateOf(app)).toEqual({ open: false, needsSetupToken: false })
    expect((await signUp(app)).status).toBe(403)
  })

  it('SIGN_UP=closed closes sign-up from the beginning', async ({ empty, now }) => {
    const app = await testApp(empty, () => now, { ...reachable, SIGN_UP: 'closed' })
    const secret = await instanceSecrets(empty).current()
    const setupToken = createHmac('sha256', secret).update('setup token').digest('base64url')

    const answer = await signUp(app, { setupToken: setupToken.slice(0, 24) })

    expect([answer.status, answer.error]).toEqual([403, 'Sign-up is closed'])
    expect(await stateOf(app)).toEqual({ open: false, needsSetupToken: false })
  })

  it('an account whose creation was interrupted does not become the admin at its next use', async ({
    empty,
    now,
  }) => {
    const app = await testApp(empty, () => now, { ...reachable, SIGN_UP: 'open' })
    const ada = await signUp(app)
    await empty.pool.query('delete from users')

    expect(await ada.isAdmin()).toBe(false)
  })
})
