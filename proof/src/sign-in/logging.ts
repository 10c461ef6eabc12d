// The log never contains a password, key or session, whatever goes wrong.
import { setTimeout as sleep } from 'node:timers/promises'
import { plantedPassword } from '../kit/secrets.ts'
import { type Instance, rightPassword, send, signIn, signUp, wrongPassword } from './instance.ts'

export async function logging(instance: Instance) {
  const { first, sql, newAddress, newEmail } = instance
  const email = newEmail()
  const { cookie } = await signUp(first, email, newAddress())
  const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? ''
  const issued = await send(first, 'POST', '/api/api-keys', {
    body: { name: 'proof' },
    headers: { cookie },
  })
  const { key } = JSON.parse(issued.text) as { key: string }
  const secrets = { 'a password': plantedPassword, 'a key': key.slice(30), 'a session': token }
  for (const provoke of [misplace, misspell, whileBroken]) {
    await provoke()
    await sleep(50) // the log lines are still on their way
    const shown = Object.entries(secrets).filter(
      ([, secret]) => secret.length < 10 || instance.written().includes(secret),
    )
    if (shown.length > 0) return shown.map(([what]) => `the log shows ${what}`)
  }
  return []

  /** Sends the key and the session in wrong places. */
  async function misplace() {
    const places: [string, Record<string, string>][] = [
      [`/api/tasks?key=${key}&access_token=${key}`, {}],
      [`/api/tasks?limit=${key}`, { authorization: `Bearer ${key}` }],
      [`/api/tasks/${key}`, { authorization: `Bearer ${key}` }],
      [`/${key}`, { cookie }],
      [`/nowhere?token=${encodeURIComponent(token)}`, { cookie }],
      ['/api/tasks', { authorization: `bearer ${key}` }],
      ['/api/tasks', { authorization: `Basic ${key}`, cookie: `${cookie}; key=${key}` }],
      ['/api/tasks', { authorization: `Bearer ${key}x` }],
      ['/api/tasks', { 'x-api-key': key, cookie: `${cookie}x` }],
      ['/health/ready', { authorization: `Bearer ${key}`, cookie }],
      ['/metrics', { authorization: `Bearer ${key}` }],
    ]
    for (const [path, headers] of places) await send(first, 'GET', path, { headers })
    await send(first, 'POST', '/api/tasks', {
      body: { title: { key }, password: rightPassword },
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': `${key} ${key}` },
    })
  }

  /** Passwords that are wrong, of the wrong type, too long, or in malformed JSON. */
  async function misspell() {
    await signIn(first, email, wrongPassword, newAddress())
    await signIn(first, newEmail(), wrongPassword, newAddress())
    const headers = { 'x-forwarded-for': newAddress() }
    const bodies: unknown[] = [
      { email: 'no address', password: wrongPassword, name: 'Someone' },
      { email: newEmail(), password: [wrongPassword], name: 'Someone' },
      { email: newEmail(), password: wrongPassword.repeat(20), name: 'Someone' },
      { email, password: rightPassword, name: 'Someone' },
      { email: wrongPassword, password: wrongPassword, name: `${wrongPassword}\0` },
      `{"email":"${email}","password":"${wrongPassword}`,
    ]
    for (const body of bodies) {
      await send(first, 'POST', '/api/auth/sign-up/email', { body, headers })
      await send(first, 'POST', '/api/auth/sign-in/email', { body, headers })
    }
    await send(first, 'POST', '/api/auth/change-password', {
      body: { currentPassword: wrongPassword, newPassword: `${wrongPassword}-new` },
      headers: { cookie, ...headers },
    })
    await send(first, 'POST', '/api/auth/revoke-session', {
      body: { token: `${token}x` },
      headers: { cookie },
    })
  }

  /** Renames tables, so that requests cause unexpected errors: 500, and an error in the log. */
  async function whileBroken() {
    for (const table of ['auth.accounts', 'auth.sessions', 'api_keys']) {
      const away = `away_${table.replace('auth.', '')}`
      const there = table.startsWith('auth.') ? 'auth.' : ''
      await sql.query(`alter table ${table} rename to ${away}`)
      await signIn(first, email, rightPassword, newAddress())
      await signUp(first, newEmail(), newAddress())
      await send(first, 'GET', '/api/tasks', { headers: { authorization: `Bearer ${key}` } })
      await send(first, 'GET', '/api/tasks', { headers: { cookie } })
      await send(first, 'GET', '/api/auth/list-sessions', { headers: { cookie } })
      await sql.query(`alter table ${there}${away} rename to ${table.replace('auth.', '')}`)
      await sleep(950) // the lifetime of the credential cache
    }
  }
}
