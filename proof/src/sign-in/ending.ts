// A revoked credential is refused at once by the process that revoked it, and within a second by the other.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance, send, signUp } from './instance.ts'

const allowedMs = 1000

type Headers = Record<string, string>
type Me = { cookie: string; id: string }

export async function ending(instance: Instance) {
  const { first, second } = instance
  const delays: number[] = []
  const me = await someone()
  await instance.sql.query(
    `with account as (update auth.users set role = 'admin' where id = $1)
     update users set role = 'admin' where id = $1`,
    [me.id],
  )
  const [grace, ada, mary] = await Promise.all([someone(), someone(), someone()])
  const key = await newKey(me)
  const hers = await newKey(grace)
  const findings = (
    await Promise.all([
      checkEnded('a revoked key', bearer(key.key), () =>
        send(first, 'DELETE', `/api/api-keys/${key.id}`, { headers: { cookie: me.cookie } }),
      ),
      checkEnded('a session signed out', { cookie: ada.cookie }, () =>
        send(first, 'POST', '/api/auth/sign-out', { body: {}, headers: { cookie: ada.cookie } }),
      ),
      checkEnded('a session revoked', { cookie: mary.cookie }, () => revokeSession(mary)),
      checkEnded('the key of a disabled account', bearer(hers.key), () =>
        send(first, 'PATCH', `/api/admin/users/${grace.id}`, {
          body: { disabled: true },
          headers: { cookie: me.cookie },
        }),
      ),
    ])
  ).flat()
  return {
    findings,
    figures: [`refused by the other process after at most ${Math.max(...delays).toFixed(0)} ms`],
  }

  async function someone(): Promise<Me> {
    const email = instance.newEmail()
    const { status, text, cookie } = await signUp(first, email, instance.newAddress())
    if (status !== 200) throw new Error(`sign-up was answered ${status}: ${text}`)
    return { cookie, id: JSON.parse(text).user.id }
  }

  async function newKey({ cookie }: Me): Promise<{ id: string; key: string }> {
    const body = { name: 'proof' }
    const { status, text } = await send(first, 'POST', '/api/api-keys', {
      body,
      headers: { cookie },
    })
    if (status !== 201) throw new Error(`a new key was answered ${status}: ${text}`)
    return JSON.parse(text)
  }

  /** A user may revoke any of their sessions by its token. */
  async function revokeSession({ cookie }: Me) {
    const { text } = await send(first, 'GET', '/api/auth/list-sessions', { headers: { cookie } })
    const [{ token }] = JSON.parse(text) as [{ token: string }]
    const body = { token }
    return send(first, 'POST', '/api/auth/revoke-session', { body, headers: { cookie } })
  }

  /** Uses a credential at both processes, which cache it; ends it at the first, and waits until both refuse it. */
  async function checkEnded(
    what: string,
    headers: Headers,
    end: () => Promise<{ status: number }>,
  ) {
    for (const origin of [second, first]) {
      const { status } = await ask(origin, headers)
      if (status !== 200) return [`${what} was answered ${status} before it was ended`]
    }
    const { status } = await end()
    if (status !== 200) return [`ending ${what} was answered ${status}`]
    const since = performance.now()
    const here = await ask(first, headers)
    const findings =
      here.status === 401 ? [] : [`${what} is still answered ${here.status} where it was ended`]
    for (;;) {
      const sentMs = performance.now() - since
      const there = await ask(second, headers)
      if (there.status === 401) {
        delays.push(sentMs)
        break
      }
      if (sentMs > allowedMs) {
        findings.push(`${what} is answered ${there.status} after ${sentMs.toFixed(0)} ms elsewhere`)
        break
      }
      await sleep(20)
    }
    return findings
  }

  function ask(origin: string, headers: Headers) {
    return send(origin, 'GET', '/api/user', { headers })
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
