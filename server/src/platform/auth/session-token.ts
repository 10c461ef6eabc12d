// A session token is only in its cookie: the database has its SHA-256, so a copy of the database grants no
// session. Better Auth would store the token itself, so it is given the hash in place of the token, and the
// session cookies that it reads and sets are rewritten.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type CookieNames, signValue, textIn } from './cookies.ts'

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** The tokens that a request sent or was issued, by hash. */
const tokens = new AsyncLocalStorage<Map<string, string>>()

/** Replaces the token of a new session by its hash, in Better Auth's hook before a session is stored. */
export function hashNewToken(session: { token: string }) {
  const hash = hashToken(session.token)
  tokens.getStore()?.set(hash, session.token)
  return { data: { token: hash } }
}

type Sent = { names: CookieNames; secret: string; token: string | undefined }

/** Runs one Better Auth request: `work` gets a cookie with the hash, and `setCookies` have the token again. */
export function withToken(
  { names, secret, token }: Sent,
  work: (cookie: string | undefined) => Promise<Response>,
) {
  const known = new Map(token === undefined ? [] : [[hashToken(token), token]])
  return tokens.run(known, async () => {
    const cookie =
      token === undefined ? undefined : `${names.session}=${signValue(hashToken(token), secret)}`
    const response = await work(cookie)
    return { response, setCookies: response.headers.getSetCookie().map(reveal) }
  })

  function reveal(line: string) {
    const [, name, value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
    if (name !== names.session || value === '') return line
    const issued = known.get(textIn(value, secret) ?? '')
    if (issued === undefined) throw new Error('Better Auth set an unknown session cookie')
    return `${name}=${signValue(issued, secret)}${attributes}`
  }
}
