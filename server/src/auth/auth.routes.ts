// Signing up, in and out, under /api/auth. Only what stands here of Better Auth can be reached.
import {
  CurrentSession,
  Done,
  ErrorBody,
  PasswordChange,
  Session,
  SessionToRevoke,
  SignedIn,
  SignIn,
  SignUp,
} from '@daywright/contract'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import { asUnavailable } from '../db/database.ts'
import type { Json } from '../db/statement.ts'
import { ApiError, forbidden, tooManyRequests } from '../errors.ts'
import { networksOf, visitorOf } from '../http/address.ts'
import { rateLimiter } from '../http/rate-limit.ts'
import type { Routes } from '../http/routes.ts'
import type { Auth } from './better-auth.ts'
import { provideProfile } from './provide-profile.ts'
import { takeAttempt } from './take-attempt.ts'

export type SignInSettings = {
  auth: () => Promise<Auth>
  signUp: 'open' | 'closed'
  rateLimit: 'on' | 'off'
}

const refusals = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 422: ErrorBody }

export const authRoutes =
  ({ auth, signUp, rateLimit }: SignInSettings): Routes =>
  async (app, { db, now, callers }) => {
    const { take: perAddress } = rateLimiter({ burst: 30, perSecond: 0.5 })

    /** Passwords are guessed one account at a time, or one address at a time. */
    async function slowDown(request: FastifyRequest, account: string) {
      if (rateLimit === 'off') return
      const { allowed, retryAfterSeconds } = perAddress(networksOf(request.ip), now().getTime())
      if (!allowed) throw tooManyRequests(retryAfterSeconds)
      await takeAttempt(db, account, now())
    }

    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const { handler } = await auth()
      return pass(await handler(toFetch(request)).catch(asUnavailable), reply)
    }

    app.post(
      '/api/auth/sign-up/email',
      {
        schema: {
          operationId: 'signUp',
          summary: 'Create an account and sign in; the first account is the admin',
          body: SignUp,
          response: { 200: SignedIn, ...refusals },
        },
      },
      async (request, reply) => {
        if (signUp === 'closed') throw forbidden('Sign-up is closed')
        await slowDown(request, request.body.email)
        const answer = await handle(request, reply)
        const { user } = JSON.parse(answer) as { user: { id: string } }
        await provideProfile(db, user.id, request.body.timezone)
        return answer
      },
    )

    app.post(
      '/api/auth/sign-in/email',
      {
        schema: {
          operationId: 'signIn',
          summary: 'Sign in; the answer sets the session cookie',
          body: SignIn,
          response: { 200: SignedIn, ...refusals },
        },
      },
      async (request, reply) => {
        await slowDown(request, request.body.email)
        return handle(request, reply)
      },
    )

    /** What ends a session here is at once forgotten here; other processes follow in a second. */
    const ending = async (request: FastifyRequest, reply: FastifyReply) => {
      const { cookie } = request.headers
      const caller = cookie ? await callers.bySession(cookie, now()) : undefined
      if (caller && request.url.endsWith('/change-password')) {
        await slowDown(request, caller.userId)
      }
      const answer = await handle(request, reply)
      if (caller) callers.forget(caller.userId)
      return answer
    }

    const post = (path: string, operationId: string, summary: string, more: object = {}) => {
      const schema = { operationId, summary, response: { 200: Done, ...refusals }, ...more }
      app.post(`/api/auth${path}`, { schema } as RouteShorthandOptions, ending)
    }
    post('/sign-out', 'signOut', 'End this session')
    post('/revoke-session', 'revokeSession', 'End one of my sessions', { body: SessionToRevoke })
    post('/revoke-other-sessions', 'revokeOtherSessions', 'End all my sessions but this one')
    post('/change-password', 'changePassword', 'Change my password', { body: PasswordChange })

    app.get(
      '/api/auth/get-session',
      {
        schema: {
          operationId: 'currentSession',
          summary: 'The session of this cookie, or null; also what prolongs a session in use',
          response: { 200: CurrentSession },
        },
      },
      handle,
    )
    app.get(
      '/api/auth/list-sessions',
      {
        schema: {
          operationId: 'listSessions',
          summary: 'My live sessions',
          response: { 200: z.array(Session), ...refusals },
        },
      },
      handle,
    )
  }

const passedOn = ['cookie', 'host', 'origin', 'user-agent', 'sec-fetch-site'] as const

function toFetch(request: FastifyRequest) {
  const headers = new Headers({ 'x-daywright-address': request.ip })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const url = `http://daywright.invalid${request.routeOptions.url}`
  if (request.method !== 'POST') return new Request(url, { method: 'GET', headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(request.body ?? {}) })
}

/** Better Auth's answer as ours: its cookies, its body unread, its refusals in our shape. */
async function pass(response: Response, reply: FastifyReply): Promise<Json<never>> {
  const text = (await response.text()) || 'null'
  if (!response.ok) {
    const { message } = (JSON.parse(text) ?? {}) as { message?: string }
    throw new ApiError(response.status, { error: message || 'Refused' })
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return text
}
