import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { plantedPassword } from '../../kit/secrets.ts'
import { type Act, call, expect, type Request, type Scene } from '../call.ts'
import { command } from '../command.ts'
import { Divergence } from '../compare.ts'
import type { Filled } from '../fill.ts'
import { cookieOf, hashOf, type Person, type Session } from '../world.ts'
import { zones } from './user.ts'

const rules = { isOpen: true }
const anything = () => undefined
const aRefusal = (body: unknown) =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
    ? undefined
    : 'should have an error'

const json = (sent: object, bad: string[] = []): Filled => ({
  text: JSON.stringify(sent),
  values: {},
  bad,
  missing: [],
  isJson: true,
  asked: '',
})

/** The session of the request, if it is valid. */
const sessionOf = ({ me, act }: Scene): Session | undefined =>
  act.as === 'anonymous' || me.isDisabled
    ? undefined
    : me.sessions[act.place % Math.max(1, me.sessions.length)]

function newSession(operation: string, cookies: string[] = []): Session {
  const found = cookies.find((cookie) => cookie.startsWith('daywright.session_token='))
  const value = decodeURIComponent(found?.split(/[=;]/)[1] ?? '')
  const token = value.slice(0, value.lastIndexOf('.'))
  if (!found?.includes('HttpOnly') || !found.includes('SameSite=Lax') || !token) {
    throw new Divergence(`${operation}: should set a session cookie and sets ${cookies.join()}`)
  }
  return { id: '', token }
}

const post = (scene: Scene, request: Omit<Request, 'method' | 'rules'>) =>
  call(scene, { method: 'POST', rules, ...request })

const as = (scene: Scene, act: Partial<Act>): Scene => ({ ...scene, act: { ...scene.act, ...act } })

export const auth = [
  command('signUpState', rules, fc.constant({}), async (scene) => {
    const operation = 'signUpState'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/auth/sign-up', rules })
    if (answer) expect(answer, operation, 200, { open: true, needsSetupToken: false })
  }),

  command(
    'signUp',
    rules,
    fc.record({
      timezone: fc.constantFrom(undefined, ...zones, 'Mars/Base'),
      spoilt: fc.constantFrom('', '', '', '', 'email', 'password', 'name', 'taken'),
    }),
    async (scene, { timezone, spoilt }) => {
      const operation = 'signUp'
      const { world } = scene
      const email = `${randomUUID()}@Example.com`
      const sent = {
        email: spoilt === 'email' ? 'not-an-email' : spoilt === 'taken' ? scene.me.email : email,
        password: spoilt === 'password' ? 'short' : `${plantedPassword} of mine`,
        name: spoilt === 'name' ? '' : 'Newcomer',
        timezone,
        role: 'admin',
        id: scene.me.id,
      }
      const bad = [
        ...(['email', 'password', 'name'].includes(spoilt) ? [spoilt] : []),
        ...(timezone === 'Mars/Base' ? ['timezone'] : []),
      ]
      const path = '/api/auth/sign-up/email'
      const visitor = as(scene, { as: 'anonymous' })
      const answer = await post(visitor, { operation, path, body: json(sent, bad) })
      if (!answer) return
      if (spoilt === 'taken') return expect(answer, operation, 422, aRefusal)
      expect(answer, operation, 200, anything)
      const session = newSession(operation, answer.headers['set-cookie'])
      const headers = { cookie: cookieOf(session) }
      const id = String(answer.body?.user?.id)
      const profile = await world.client.send('GET', '/api/user', headers)
      expect(profile, operation, 200, {
        id,
        email: email.toLowerCase(),
        displayName: 'Newcomer',
        timezone: timezone ?? 'UTC',
        isAdmin: false,
      })
      const spaces = await world.client.send('GET', '/api/spaces', headers)
      const isAlone = spaces.body?.length === 1 && spaces.body[0].userId === id
      if (!isAlone || spaces.body[0].name !== 'Personal' || !spaces.body[0].isDefault) {
        throw new Divergence(`${operation}: should begin with one default space, Personal`)
      }
    },
  ),

  command(
    'signIn',
    rules,
    fc.record({
      isRight: fc.constantFrom(true, true, false),
      isKnown: fc.constantFrom(true, true, true, false),
    }),
    async (scene, { isRight, isKnown }) => {
      const operation = 'signIn'
      const { me } = scene
      const password = isRight ? me.password : `${me.password}!`
      const email = isKnown ? me.email.toUpperCase() : `no-${me.email}`
      const path = '/api/auth/sign-in/email'
      const visitor = as(scene, { as: 'anonymous' })
      const answer = await post(visitor, { operation, path, body: json({ email, password }) })
      if (!answer) return
      if (!isRight || !isKnown) return expect(answer, operation, 401, aRefusal)
      if (me.isDisabled) return expect(answer, operation, 403, aRefusal)
      expect(answer, operation, 200, anything)
      const session = newSession(operation, answer.headers['set-cookie'])
      if (answer.body?.user?.id !== me.id) throw new Divergence(`${operation}: as someone else`)
      me.sessions.push(session)
    },
  ),

  command('signOut', rules, fc.constant({}), async (scene) => {
    const operation = 'signOut'
    const session = sessionOf(scene)
    const answer = await post(scene, { operation, path: '/api/auth/sign-out' })
    if (!answer) return
    expect(answer, operation, 200, { success: true })
    if (session) await end(scene, operation, (each) => each === session)
  }),

  command(
    'revokeSession',
    rules,
    fc.record({ whose: fc.constantFrom('me', 'me', 'other', 'unknown', 'bad'), place: fc.nat(9) }),
    async (scene, { whose, place }) => {
      const operation = 'revokeSession'
      const { me, other } = scene
      const nth = ({ sessions }: Person) => sessions[place % Math.max(1, sessions.length)]
      const chosen = whose === 'me' ? nth(me) : whose === 'other' ? nth(other) : undefined
      const token = whose === 'bad' ? 7 : chosen ? hashOf(chosen) : 'nonsense'
      const session = sessionOf(scene)
      const body = json({ token }, whose === 'bad' ? ['token'] : [])
      const answer = await post(scene, { operation, path: '/api/auth/revoke-session', body })
      if (!answer) return
      if (!session) return expect(answer, operation, 401, aRefusal)
      expect(answer, operation, 200, { status: true })
      if (whose === 'me') await end(scene, operation, (each) => each === chosen)
    },
  ),

  command('revokeOtherSessions', rules, fc.constant({}), async (scene) => {
    const operation = 'revokeOtherSessions'
    const session = sessionOf(scene)
    const answer = await post(scene, { operation, path: '/api/auth/revoke-other-sessions' })
    if (!answer) return
    if (!session) return expect(answer, operation, 401, aRefusal)
    expect(answer, operation, 200, { status: true })
    await end(scene, operation, (each) => each !== session)
  }),

  command(
    'changePassword',
    rules,
    fc.record({
      isRight: fc.constantFrom(true, true, false),
      others: fc.constantFrom(undefined, true, false),
      isShort: fc.constantFrom(false, false, false, true),
      number: fc.nat(9),
    }),
    async (scene, { isRight, others, isShort, number }) => {
      const operation = 'changePassword'
      const { me } = scene
      const session = sessionOf(scene)
      const newPassword = isShort ? 'short' : `${plantedPassword} ${number}`
      const sent = {
        currentPassword: isRight ? me.password : 'not mine',
        newPassword,
        revokeOtherSessions: others,
      }
      const body = json(sent, isShort ? ['newPassword'] : [])
      const answer = await post(scene, { operation, path: '/api/auth/change-password', body })
      if (!answer) return
      if (!session) return expect(answer, operation, 401, aRefusal)
      if (!isRight) return expect(answer, operation, 400, aRefusal)
      expect(answer, operation, 200, anything)
      me.password = newPassword
      if (others === false) return
      await end(scene, operation, () => true)
      me.sessions = [newSession(operation, answer.headers['set-cookie'])]
    },
  ),

  command('currentSession', rules, fc.constant({}), async (scene) => {
    const operation = 'currentSession'
    const session = sessionOf(scene)
    const path = '/api/auth/get-session'
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (!answer) return
    if (!session) return expect(answer, operation, 200, null)
    expect(answer, operation, 200, { session: anything, user: anything })
    const { session: shown, user } = answer.body
    if (shown.token !== hashOf(session) || user.id !== scene.me.id) {
      throw new Divergence(`${operation}: is someone else's`)
    }
  }),

  command('listSessions', rules, fc.constant({}), async (scene) => {
    const operation = 'listSessions'
    const path = '/api/auth/list-sessions'
    const session = sessionOf(scene)
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (!answer) return
    if (!session) return expect(answer, operation, 401, aRefusal)
    expect(answer, operation, 200, anything)
    const tokens = answer.body.map(({ token }: Session) => token) as string[]
    const known = scene.me.sessions.map(hashOf)
    if (tokens.toSorted().join() !== known.toSorted().join()) {
      throw new Divergence(`${operation}: ${tokens.length} sessions instead of ${known.length}`)
    }
  }),
]

/** Removes sessions from the model, and checks that the service refuses them immediately. */
async function end(scene: Scene, operation: string, isEnded: (session: Session) => boolean) {
  const { me, world } = scene
  const ended = me.sessions.filter(isEnded)
  me.sessions = me.sessions.filter((session) => !isEnded(session))
  for (const session of ended.slice(0, 2)) {
    const answer = await world.client.send('GET', '/api/user', { cookie: cookieOf(session) })
    expect(answer, operation, 401, { error: 'Unauthorized' })
  }
}
