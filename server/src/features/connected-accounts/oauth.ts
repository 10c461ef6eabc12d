// OAuth 2.0 with a code and PKCE (RFC 6749, 7636), as Google and Microsoft offer it to a server with a client secret.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Request } from '../../platform/outbound/http-get.ts'
import { errorOf, parseJson, ProviderError, understand } from './provider.ts'

export type OAuthClient = {
  id: string
  secret: string
  authorizeUrl: string
  tokenUrl: string
  /** Where a grant is revoked (RFC 7009); Microsoft has no such address. */
  revokeUrl?: string | undefined
  scope: string
  /** Further parameters of the authorization request. */
  more: Record<string, string>
}

export type Tokens = {
  accessToken: string
  /** In milliseconds since 1970. */
  expiresAt: number
  refreshToken: string
}

const mostAnswerBytes = 100_000
const patienceMs = 20_000
/** A user waits for it, and does without it if need be. */
const revocationMs = 5000
/** A token is renewed this long before it expires, so that it does not expire during a reading. */
const marginMs = 2 * 60_000

export const newVerifier = () => randomBytes(32).toString('base64url')

/** The URL at which the user allows the access. The provider sends `state` back with the code. */
export function authorizationUrl(
  { id, authorizeUrl, scope, more }: OAuthClient,
  { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
) {
  const url = new URL(authorizeUrl)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = {
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  id_token: z.string().optional(),
})

/** Exchanges a code for the tokens of the account, and its email address if the provider states it. */
export async function exchangeCode(
  request: Request,
  client: OAuthClient,
  given: { code: string; verifier: string; redirectUri: string },
  now: Date,
): Promise<{ tokens: Tokens; email: string | null }> {
  const answer = await askForTokens(request, client, {
    grant_type: 'authorization_code',
    code: given.code,
    code_verifier: given.verifier,
    redirect_uri: given.redirectUri,
  })
  const { refresh_token: refreshToken } = answer
  // Without a refresh token the access would end after an hour.
  if (refreshToken === undefined) throw new ProviderError('access-withdrawn')
  return { tokens: { ...accessOf(answer, now), refreshToken }, email: emailIn(answer.id_token) }
}

export const isUsable = ({ expiresAt }: Tokens, now: Date) => expiresAt - marginMs > now.getTime()

/** Renews the access token. Microsoft replaces the refresh token as well. */
export async function refreshTokens(
  request: Request,
  client: OAuthClient,
  { refreshToken }: Tokens,
  now: Date,
): Promise<Tokens> {
  const answer = await askForTokens(request, client, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  })
  return { ...accessOf(answer, now), refreshToken: answer.refresh_token ?? refreshToken }
}

const accessOf = (
  { access_token: accessToken, expires_in: seconds }: z.infer<typeof TokenAnswer>,
  now: Date,
) => ({ accessToken, expiresAt: now.getTime() + seconds * 1000 })

async function askForTokens(
  request: Request,
  { id, secret, tokenUrl }: OAuthClient,
  parameters: Record<string, string>,
) {
  const form = { client_id: id, client_secret: secret, ...parameters }
  const answer = await postForm(request, tokenUrl, form, patienceMs)
  if (answer.kind === 'failed') throw new ProviderError('failed')
  const text = answer.content.body.toString('utf8')
  if (answer.status === 200) return understand(TokenAnswer, parseJson(text))
  if (answer.status === 400 && isGrantInvalid(text)) throw new ProviderError('access-withdrawn')
  throw errorOf(answer.status, answer.retryAfterSeconds)
}

const postForm = (request: Request, url: string, form: Record<string, string>, ms: number) =>
  request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      // A short answer of a provider that the operator has chosen; it is parsed here.
      'accept-encoding': 'identity',
    },
    body: new URLSearchParams(form).toString(),
    mostBytes: mostAnswerBytes,
    signal: AbortSignal.timeout(ms),
  })

/** Ends the access at the provider; false if that failed, or the provider does not offer it. */
export async function revokeGrant(
  request: Request,
  { revokeUrl }: OAuthClient,
  { refreshToken }: Tokens,
) {
  if (revokeUrl === undefined) return false
  const answer = await postForm(request, revokeUrl, { token: refreshToken }, revocationMs)
  return answer.kind === 'answered' && answer.status === 200
}

const Refused = z.object({ error: z.literal('invalid_grant') })
const isGrantInvalid = (text: string) => Refused.safeParse(parseJson(text)).success

/** The email address in an ID token. Received over TLS, it needs no signature check (OpenID Connect Core, 3.1.3.7). */
function emailIn(idToken: string | undefined) {
  const payload = idToken?.split('.')[1]
  if (payload === undefined) return null
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
  return z.object({ email: z.email() }).safeParse(claims).data?.email ?? null
}
