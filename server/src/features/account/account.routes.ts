// Sign-up, sign-in and sign-out under /api/auth. Only the endpoints of Better Auth listed here are reachable.
import {
  CurrentSession,
  Done,
  ErrorBody,
  PasswordChange,
  type Profile,
  Session,
  SessionToRevoke,
  SignedIn,
  SignIn,
  SignUp,
  SignUpState,
} from '@daywright/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { asUnavailable } from '../../platform/db/database-errors.ts'
import type { Json } from '../../platform/db/statement.ts'
import { ApiError, tooManyRequests, unauthorized } from '../../platform/errors.ts'
import { visitorOf } from '../../platform/http/address.ts'
import { networksOf, rateLimiter } from '../../platform/http/rate-limit.ts'
import type { OpenRoutes } from '../../platform/http/routes.ts'
import type { CrossSite } from '../../platform/http/same-site.ts'
import type { SecurityEvent } from '../../platform/http/security-log.ts'
import { findProfile } from '../user/user.queries.ts'
import { findAccount } from './account.queries.ts'
import { type Auth, internalOrigin } from '../../platform/auth/better-auth.ts'
import { type CookieNames, readCookie, textIn } from '../../platform/auth/cookies.ts'
import { browserCookie, knownBrowser } from '../../platform/auth/known-browser.ts'
import { ensureProfile } from '../user/ensure-profile.ts'
import { refuseWeakPassword } from './refuse-weak-password.ts'
import { withToken } from '../../platform/auth/session-token.ts'
import { endSurplusSessions } from '../../platform/auth/sessions.queries.ts'
import type { SignUpRules } from './sign-up-rules.ts'
import {
  allowanceOfPerson,
  allowancesOf,
  type Allowance,
  takeAttempt,
} from '../../platform/auth/sign-in-attempts.ts'

export type SignInSettings = {
  auth: () => Promise<Auth>
  secret: () => Promise<string>
  names: CookieNames
  signUp: SignUpRules
  refuseCrossSite: CrossSite
  rateLimit: 'on' | 'off'
}

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 422: ErrorBody }

type Current = { userId: string; token: string }

export const authRoutes =
  ({ auth, secret, names, signUp, refuseCrossSite, rateLimit }: SignInSettings): OpenRoutes =>
  async (app, { db, now, callers }) => {
    const { take: perAddress } = rateLimiter({ burst: 30, perSecond: 0.5 })

    // Cookies and passwords are accepted from our own pages and from programs, never from another site's page.
    app.addHook('onRequest', (request, _reply, done) => {
      done(request.method === 'POST' ? refuseCrossSite(request) : undefined)
    })

    /** Limits how often a network may have a password hashed, whatever the outcome: hashing is expensive. */
    function limitAttempts(request: FastifyRequest) {
      if (rateLimit === 'off') return
      const { allowed, retryAfterSeconds } = perAddress(networksOf(request.ip), now().getTime())
      if (!allowed) throw tooManyRequests(retryAfterSeconds)
    }

    /** Limits the guesses at one account. The attempt is returned if `work` succeeds, so only failed ones count. */
    async function limitGuesses<Answer>(allowances: Allowance[], work: () => Promise<Answer>) {
      if (rateLimit === 'off') return work()
      const returnAttempt = await takeAttempt(db, allowances, now())
      const answer = await work()
      await returnAttempt()
      return answer
    }

    /** The session of the request's cookie, looked up as for every other request. */
    async function currentOf({
      headers: { cookie },
    }: FastifyRequest): Promise<Current | undefined> {
      const caller = cookie === undefined ? undefined : await callers.bySession(cookie, now())
      const token = textIn(readCookie(cookie, names.session) ?? '', await secret())
      return caller && token !== undefined ? { userId: caller.userId, token } : undefined
    }

    async function requireCurrent(request: FastifyRequest) {
      const current = await currentOf(request)
      if (!current) throw unauthorized()
      return current
    }

    /** Calls Better Auth. Of the cookies it sees only that of a session we have verified, and `dontRemember`. */
    async function ask(
      request: FastifyRequest,
      reply: FastifyReply,
      { current, body }: { current?: Current | undefined; body?: object } = {},
    ) {
      const { handler } = await auth()
      const sent = { names, secret: await secret(), token: current?.token }
      const { response, setCookies } = await withToken(sent, (cookie) => {
        const dontRemember = readCookie(request.headers.cookie, names.dontRemember)
        const both = dontRemember ? `${cookie}; ${names.dontRemember}=${dontRemember}` : cookie
        return handler(toFetch(request, cookie && both, body)).catch(asUnavailable)
      })
      const text = await bodyOf(response)
      if (setCookies.length > 0) reply.header('set-cookie', setCookies)
      return text
    }

    /** Called after a correct password: marks the browser as known, unless it must not be remembered. */
    async function welcome(
      request: FastifyRequest,
      reply: FastifyReply,
      answer: string,
      { rememberMe = true } = {},
    ) {
      const { user } = JSON.parse(answer) as { user: { id: string; email: string } }
      request.security = { userId: user.id }
      if (rememberMe) reply.header('set-cookie', browserCookie(names, await secret(), user.email))
      await endSurplusSessions(db, user.id, now())
      return user.id
    }

    app.get(
      '/api/auth/sign-up',
      {
        schema: {
          operationId: 'signUpState',
          summary: 'Whether sign-up is open, and whether it needs the setup token',
          response: { 200: SignUpState },
        },
      },
      () => signUp.state(),
    )

    app.post(
      '/api/auth/sign-up/email',
      {
        config: { security: 'sign-up' },
        schema: {
          operationId: 'signUp',
          summary: 'Create an account and sign in; the first account is the admin',
          body: SignUp,
          response: { 200: SignedIn, ...refusals },
        },
      },
      async (request, reply) => {
        const { setupToken, timezone, ...body } = request.body
        const { claims } = await signUp.admit(setupToken)
        refuseWeakPassword('password', body.password, body)
        limitAttempts(request)
        const answer = await ask(request, reply, { body })
        const userId = await welcome(request, reply, answer)
        await ensureProfile(db, userId, { timezone, claims })
        return answer
      },
    )

    app.post(
      '/api/auth/sign-in/email',
      {
        config: { security: 'sign-in' },
        schema: {
          operationId: 'signIn',
          summary: 'Sign in; the response sets the session cookie',
          body: SignIn,
          response: { 200: SignedIn, ...refusals },
        },
      },
      async (request, reply) => {
        const { body } = request
        const browser = knownBrowser(request.headers.cookie, names, await secret(), body.email)
        if (browser === undefined) limitAttempts(request)
        const allowances = allowancesOf(body.email, visitorOf(request.ip), browser)
        try {
          const answer = await limitGuesses(allowances, () => ask(request, reply, { body }))
          await welcome(request, reply, answer, body)
          return answer
        } catch (error) {
          // The log names the account that the attempt was for, if it exists.
          if (error instanceof ApiError && [401, 403].includes(error.status)) {
            request.security = { userId: await findAccount(db, body.email) }
          }
          throw error
        }
      },
    )

    /** Drops an ended session from this process's cache at once; other processes follow within a second. */
    async function end(request: FastifyRequest, reply: FastifyReply, current?: Current) {
      request.security = { userId: current?.userId }
      const body = request.body ?? {}
      const answer = await ask(request, reply, { current, body })
      if (current) callers.forget(current.userId)
      return answer
    }
    const endRoute = (operationId: string, summary: string, security: SecurityEvent) => ({
      config: { security },
      schema: { operationId, summary, response: { 200: Done, ...refusals } },
    })

    app.post(
      '/api/auth/sign-out',
      endRoute('signOut', 'End this session', 'sign-out'),
      async (request, reply) => end(request, reply, await currentOf(request)),
    )
    const { schema, config } = endRoute('revokeSession', 'End one of my sessions', 'session-ended')
    app.post(
      '/api/auth/revoke-session',
      { config, schema: { ...schema, body: SessionToRevoke } },
      async (request, reply) => end(request, reply, await requireCurrent(request)),
    )
    app.post(
      '/api/auth/revoke-other-sessions',
      endRoute('revokeOtherSessions', 'End all my sessions but this one', 'session-ended'),
      async (request, reply) => end(request, reply, await requireCurrent(request)),
    )

    app.post(
      '/api/auth/change-password',
      {
        config: { security: 'password-changed' },
        schema: {
          operationId: 'changePassword',
          summary: 'Change my password; ends my other sessions by default',
          body: PasswordChange,
          response: { 200: Done, ...refusals },
        },
      },
      async (request, reply) => {
        limitAttempts(request)
        const current = await requireCurrent(request)
        request.security = { userId: current.userId }
        const body = { revokeOtherSessions: true, ...request.body }
        const { email, displayName } = JSON.parse(await findProfile(db, current.userId)) as Profile
        refuseWeakPassword('newPassword', body.newPassword, { email, name: displayName })
        const answer = await limitGuesses(allowanceOfPerson(current.userId), () =>
          ask(request, reply, { current, body }),
        )
        callers.forget(current.userId)
        return answer
      },
    )

    app.get(
      '/api/auth/get-session',
      {
        schema: {
          operationId: 'currentSession',
          summary: 'The current session, or null if there is none; this may extend the session',
          response: { 200: CurrentSession },
        },
      },
      async (request, reply) => {
        const current = await currentOf(request)
        return current ? ask(request, reply, { current }) : null
      },
    )
    app.get(
      '/api/auth/list-sessions',
      {
        schema: {
          operationId: 'listSessions',
          summary: 'My active sessions',
          response: { 200: z.array(Session), ...refusals },
        },
      },
      async (request, reply) => ask(request, reply, { current: await requireCurrent(request) }),
    )
  }

/** Builds the request for Better Auth. It gets our internal origin, since the real one is already checked. */
function toFetch(request: FastifyRequest, cookie: string | undefined, body: object | undefined) {
  const headers = new Headers({ 'x-daywright-address': request.ip, origin: internalOrigin })
  const agent = request.headers['user-agent']
  if (agent !== undefined) headers.set('user-agent', agent)
  if (cookie !== undefined) headers.set('cookie', cookie)
  const url = `${internalOrigin}${request.routeOptions.url}`
  if (request.method !== 'POST') return new Request(url, { method: 'GET', headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(body ?? {}) })
}

/** Returns Better Auth's body unparsed, or throws its error in our format. */
async function bodyOf(response: Response): Promise<Json<never>> {
  const text = (await response.text()) || 'null'
  if (response.ok) return text
  const { message } = (JSON.parse(text) ?? {}) as { message?: string }
  throw new ApiError(response.status, { error: message || 'Refused' })
}
