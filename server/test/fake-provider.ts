// Fakes of Google and Microsoft on loopback, written from their public documentation: OAuth grants with PKCE,
// pagination, sync tokens, and the responses to sync tokens that are too old.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Endpoints } from '../src/features/connected-accounts/providers.ts'

export const clientCredentials = { id: 'daywright', secret: 'client secret' }

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

type Options = {
  /** Answers a request of the API; `origin` is for links. */
  answerApi: (url: URL, origin: string) => Answer
  /** Microsoft issues a new refresh token each time. */
  rotatesRefreshToken: boolean
}

export async function startFakeProvider({ answerApi, rotatesRefreshToken }: Options) {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const refreshTokens = new Set<string>()
  const accessTokens = new Set<string>()
  const asked: string[] = []
  let nextAnswer: Answer | undefined
  let isRevocationDown = false

  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', origin)
    const body = await text(request)
    const { status, body: answer, headers } = answerOf(url, request, new URLSearchParams(body))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(answer === undefined ? '' : JSON.stringify(answer))
  }

  function answerOf(url: URL, { headers }: IncomingMessage, form: URLSearchParams): Answer {
    if (url.pathname === '/authorize') return authorize(url.searchParams)
    if (url.pathname === '/token') return grant(form)
    if (url.pathname === '/revoke') return revoke(form)
    asked.push(url.pathname + url.search)
    if (!accessTokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
      return { status: 401, body: { error: { code: 401 } } }
    }
    const once = nextAnswer
    nextAnswer = undefined
    return once ?? answerApi(url, origin)
  }

  /** Redirects back with a code, as if the user had agreed at once. */
  function authorize(query: URLSearchParams): Answer {
    const code = randomUUID()
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return { status: 302, headers: { location: back.href } }
  }

  function grant(form: URLSearchParams): Answer {
    const { id, secret } = clientCredentials
    if (form.get('client_id') !== id || form.get('client_secret') !== secret) {
      return { status: 401, body: { error: 'invalid_client' } }
    }
    const invalid = { status: 400, body: { error: 'invalid_grant' } }
    if (form.get('grant_type') === 'refresh_token') {
      const refreshToken = form.get('refresh_token') ?? ''
      if (!refreshTokens.has(refreshToken)) return invalid
      if (!rotatesRefreshToken) return issue()
      return issue({ refresh_token: newRefreshToken() })
    }
    const code = form.get('code') ?? ''
    const given = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isValid = given?.challenge === challenge && given.redirectUri === form.get('redirect_uri')
    if (!isValid) return invalid
    const claims = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url')
    return issue({ refresh_token: newRefreshToken(), id_token: `e30.${claims}.signature` })
  }

  function revoke(form: URLSearchParams): Answer {
    if (isRevocationDown) return { status: 503 }
    const isKnown = refreshTokens.delete(form.get('token') ?? '')
    return isKnown ? { status: 200, body: {} } : { status: 400, body: { error: 'invalid_token' } }
  }

  function newRefreshToken() {
    const token = randomUUID()
    refreshTokens.add(token)
    return token
  }

  function issue(more: object = {}): Answer {
    const accessToken = randomUUID()
    accessTokens.add(accessToken)
    const body = { access_token: accessToken, expires_in: 3599, token_type: 'Bearer', ...more }
    return { status: 200, body }
  }

  return {
    endpoints: {
      authorizeUrl: `${origin}/authorize`,
      tokenUrl: `${origin}/token`,
      revokeUrl: `${origin}/revoke`,
      api: `${origin}/api`,
    } satisfies Endpoints,
    /** The requests to the API so far; the list is emptied. */
    takeAsked: () => asked.splice(0),
    /** The next request to the API is answered like this. */
    answerOnce: (answer: Answer) => void (nextAnswer = answer),
    /** How many grants have not been revoked. */
    countGrants: () => refreshTokens.size,
    /** From now on, revocations fail. */
    refuseRevocations: () => void (isRevocationDown = true),
    /** Issues an access token, as if the user had agreed. */
    newAccessToken: () => (issue().body as { access_token: string }).access_token,
    /** Revokes all tokens, as if the user had withdrawn access. */
    withdraw() {
      refreshTokens.clear()
      accessTokens.clear()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
