import { type App, caller, describe, expect, it, signUp } from '../../../test/it.ts'
import { readConfig } from '../../config.ts'
import { createAccount, issueKeyFor, resetPassword } from './account-command.ts'

const closed = readConfig({ SIGN_UP: 'closed' })
const password = 'correct horse battery staple'
let lastPerson = 0
const newAccount = () => ({
  email: `person-${++lastPerson}@example.com`,
  name: 'Ada',
  password,
  admin: false,
})

const withKey = (app: App, key: string) => caller(app, { authorization: `Bearer ${key}` })

describe('createAccount', () => {
  it('creates the same account as sign-up, even if sign-up is closed', async ({ app, db, now }) => {
    await signUp(app) // makes sure that the instance has an admin
    const account = { ...newAccount(), timezone: 'Australia/Sydney' }

    await createAccount(db, closed, account)

    const me = withKey(app, await issueKeyFor(db, account.email, { name: 'script' }, now))
    expect((await me.get('/api/user')).body).toEqual({
      id: expect.any(String),
      email: account.email,
      displayName: 'Ada',
      timezone: 'Australia/Sydney',
      isAdmin: false,
    })
    expect((await me.get('/api/spaces')).body).toMatchObject([
      { name: 'Personal', isDefault: true },
    ])
    const { email } = account
    const signIn = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email, password },
    })
    expect(signIn.statusCode).toBe(200)
  })

  it('creates an admin on request, in the profile and in the session', async ({ app, db, now }) => {
    await signUp(app)
    const account = { ...newAccount(), admin: true }

    await createAccount(db, closed, account)

    const me = withKey(app, await issueKeyFor(db, account.email, { name: 'script' }, now))
    expect((await me.get('/api/user')).body.isAdmin).toBe(true)
    const { rows } = await db.pool.query('select role from auth.users where email = $1', [
      account.email,
    ])
    expect(rows).toEqual([{ role: 'admin' }])
  })

  it('reports that the e-mail is in use, and changes nothing', async ({ db }) => {
    const account = newAccount()
    await createAccount(db, closed, account)

    const again = createAccount(db, closed, { ...account, admin: true })

    await expect(again).rejects.toThrow(/^User already exists/)
    const { rows } = await db.pool.query('select role from users where email = $1', [account.email])
    expect(rows).toHaveLength(1)
  })

  it.for([
    ['email', { email: 'ada' }],
    ['password', { password: 'seven77' }],
    ['password', { password: 'iloveyou' }],
    ['name', { name: '' }],
    ['timezone', { timezone: 'Mars/Olympus_Mons' }],
  ] as const)('names what is wrong: %s of %o', async ([field, wrong], { db }) => {
    const attempt = createAccount(db, closed, { ...newAccount(), ...wrong })

    await expect(attempt).rejects.toThrow(new RegExp(`^${field}: `))
  })
})

describe('resetPassword', () => {
  const signIn = async (app: App, email: string, given: string) => {
    const payload = { email, password: given }
    return (await app.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload }))
      .statusCode
  }

  it('replaces a forgotten password, ends every session, and keeps API keys', async ({
    app,
    db,
  }) => {
    const ada = await signUp(app)
    const { body } = await ada.post('/api/api-keys', { name: 'script' })

    await resetPassword(db, ada.email.toUpperCase(), 'a longer sentence still', new Date())

    const { rows } = await db.pool.query('select from auth.sessions where user_id = $1', [ada.id])
    expect(rows).toEqual([])
    expect(await signIn(app, ada.email, password)).toBe(401)
    expect(await signIn(app, ada.email, 'a longer sentence still')).toBe(200)
    expect((await withKey(app, body.key).get('/api/user')).status).toBe(200)
  })

  it.for(['short', 'iloveyou'])('refuses %s, and changes nothing', async (weak, { app, db }) => {
    const ada = await signUp(app)

    await expect(resetPassword(db, ada.email, weak, new Date())).rejects.toThrow(/^password: /)

    expect(await signIn(app, ada.email, password)).toBe(200)
  })

  it('reports an unknown account', async ({ db }) => {
    const attempt = resetPassword(db, 'unknown@example.com', 'a longer sentence still', new Date())

    await expect(attempt).rejects.toThrow('There is no account unknown@example.com')
  })
})

describe('issueKeyFor', () => {
  it('gives the key the scopes that are named, by default all but webhooks', async ({
    app,
    db,
    now,
  }) => {
    const ada = await signUp(app)
    const usual = { name: 'script' }
    const named = { name: 'hooks', scopes: 'read,webhooks' }
    const hook = { url: 'https://example.com/hook' }
    const statusWith = async (given: typeof usual) => {
      const me = withKey(app, await issueKeyFor(db, ada.email, given, now))
      return (await me.post('/api/webhooks', hook)).status
    }

    expect(await statusWith(usual)).toBe(403)
    expect(await statusWith(named)).toBe(201)
    await expect(statusWith({ name: 'x', scopes: 'read,all' } as typeof usual)).rejects.toThrow(
      '--scopes: any of read, write, planner, webhooks, separated by commas',
    )
  })

  it('issues a key with default scopes, whatever the e-mail’s case', async ({ app, db, now }) => {
    const ada = await signUp(app)

    const key = await issueKeyFor(db, ada.email.toUpperCase(), { name: 'script' }, now)

    const me = withKey(app, key)
    expect((await me.post('/api/labels', { name: 'home' })).status).toBe(201)
    expect((await ada.get('/api/api-keys')).body).toMatchObject([
      { name: 'script', scopes: ['read', 'write', 'planner'], expiresAt: null },
    ])
  })

  it('completes an account whose creation was interrupted', async ({ app, db, now }) => {
    const ada = await signUp(app)
    await db.pool.query('delete from users where id = $1', [ada.id])

    const key = await issueKeyFor(db, ada.email, { name: 'script' }, now)

    expect((await withKey(app, key).get('/api/user')).body).toMatchObject({ id: ada.id })
  })

  it('reports an unknown account', async ({ db, now }) => {
    const attempt = issueKeyFor(db, 'unknown@example.com', { name: 'script' }, now)

    await expect(attempt).rejects.toThrow('There is no account unknown@example.com')
  })
})
