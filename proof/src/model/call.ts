// Sends one request and checks what holds for all of them: authentication, validation errors per field, and
// Idempotency-Keys. The command checks the rest.
import { brief, difference, Divergence } from './compare.ts'
import type { Answer } from './client.ts'
import { fill, type Filled, idOf } from './fill.ts'
import type { Kind } from './model.ts'
import type { Body, Pick } from './values.ts'
import { cookieOf, type Person, type World } from './world.ts'

/** The caller, the credential, and the Idempotency-Key. */
export type Act = { who: number; as: Credential; key?: string; place: number }
export type Credential =
  | 'key'
  | 'session'
  | 'read'
  | 'write'
  | 'planner'
  | 'issued'
  | 'revoked'
  | 'anonymous'
  | 'nonsense'
  | 'cross-site'

export type Rules = { sessionOnly?: boolean; scopes?: string[]; admin?: boolean; isOpen?: boolean }

export type Request = {
  operation: string
  method: string
  path: string
  rules?: Rules
  body?: Filled
  headers?: Record<string, string>
  /** Names of invalid query parameters. */
  badQuery?: string[]
  /** The error of an invalid body, for operations that do not name its fields. */
  errorOf?: (body: Filled) => string
}

export type Scene = { world: World; act: Act; me: Person; other: Person }

export function sceneOf(world: World, act: Act): Scene {
  const [ada, grace] = world.people
  return act.who === 0
    ? { world, act, me: ada, other: grace }
    : { world, act, me: grace, other: ada }
}

export const bodyFor = ({ world, me, other }: Scene, body: Body) =>
  fill(body, world.began, me, other)

export const idFor = ({ me, other }: Scene, kind: Kind, pick: Pick) => {
  const { id, found } = idOf(kind, pick, me, other)
  return { id, segment: encodeURIComponent(id), found: found ?? '' }
}

/** Sends the request. Returns the answer if the command must check it; undefined if it was refused as expected. */
export async function call(scene: Scene, request: Request): Promise<Answer | undefined> {
  const { operation, method, path, rules = {}, body } = request
  const { world, act, me } = scene
  const { headers, refusal } = credentials(scene, method, rules)
  Object.assign(headers, request.headers)
  const key = ['POST', 'PUT', 'PATCH'].includes(method) ? act.key : undefined
  if (key !== undefined) headers['idempotency-key'] = key
  const answer = await world.client.send(method, path, headers, body?.text)
  count(world, operation, answer.status)
  if (!answer.headers['x-request-id']) throw new Divergence(`${operation}: no X-Request-Id`)

  const refused = refusal ?? findRefusal(request, me)
  if (refused) return expectAnswer(answer, operation, refused.status, refused.body)
  if (key === undefined || rules.isOpen) return refuseReplay(answer, operation)
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const error = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    return expectAnswer(answer, operation, 400, { error })
  }
  const asked = `${method} ${path} ${body?.asked ?? ''}`
  const known = me.answered.get(key)
  if (!known) {
    if (answer.status < 300) {
      me.answered.set(key, { asked, status: answer.status, text: answer.text })
      me.repeatable.push({ key, request })
    }
    return refuseReplay(answer, operation)
  }
  if (known.asked !== asked) {
    const error = 'Idempotency-Key was used for another request'
    return expectAnswer(answer, operation, 422, { error })
  }
  if (answer.headers['idempotency-replayed'] !== 'true' || answer.text !== known.text) {
    throw new Divergence(
      `${operation}: repeated, it should be answered ${known.status} ${brief(known.text)} again, ` +
        `and is ${answer.status} ${brief(answer.text)}`,
    )
  }
  return expectAnswer(answer, operation, known.status, () => undefined)
}

function expectAnswer(...judged: Parameters<typeof expect>): undefined {
  expect(...judged)
}

function refuseReplay(answer: Answer, operation: string) {
  if (answer.headers['idempotency-replayed'] === undefined) return answer
  throw new Divergence(`${operation}: says it is a repetition and is none`)
}

function findRefusal({ rules, body, badQuery = [], errorOf }: Request, me: Person) {
  if (body && !body.isJson) return { status: 400, body: { error: 'Invalid JSON' } }
  if (rules?.admin && !me.isAdmin) return { status: 404, body: { error: 'Not found' } }
  if (body && body.bad.length > 0 && errorOf) return { status: 400, body: { error: errorOf(body) } }
  const bad = body && body.bad.length > 0 ? body.bad : badQuery
  return bad.length > 0 ? { status: 400, body: invalid(...bad) } : undefined
}

const messages = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((text) => typeof text === 'string' && text)
    ? undefined
    : 'should be a list of messages'

/** The refusal of a body or query: exactly these fields are invalid. */
export const invalid = (...fields: string[]) => ({
  error: 'Validation failed',
  details: Object.fromEntries(fields.map((field) => [field, messages])),
})

/** The refusal of a reference: it names one of these fields, which match no record of the caller. */
export const missing = (fields: string[]) => ({
  error: (error: unknown) =>
    fields.some((field) => error === `${field} not found`) ? undefined : `one of ${fields.join()}`,
  field: (field: unknown) =>
    fields.includes(String(field)) ? undefined : `one of ${fields.join()}`,
})

export function expect(answer: Answer, operation: string, status: number, body: unknown) {
  if (answer.status !== status) {
    throw new Divergence(
      `${operation}: should be ${status} ${brief(body)} and is ${answer.status} ${brief(answer.body)}`,
    )
  }
  const found = difference(body, answer.body)
  if (found) throw new Divergence(`${operation}: ${found}`)
}

export const success = { success: true }

function count({ called }: World, operation: string, status: number) {
  const answers = called.get(operation) ?? new Map<number, number>()
  answers.set(status, (answers.get(status) ?? 0) + 1)
  called.set(operation, answers)
}

type Refusal = { status: number; body: object }
const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
const insufficient = { status: 403, body: { error: 'Insufficient scope' } }
const needsSession = { status: 403, body: { error: 'Sign in to do this: API keys cannot' } }
const elsewhere = 'http://elsewhere.example'
const crossSite = {
  status: 403,
  body: {
    error: `Cross-site request refused: ${elsewhere} is not the address of this service (PUBLIC_URL)`,
  },
}

/** The credential headers, and the refusal they lead to, if any. */
function credentials(
  { world, act, me }: Scene,
  method: string,
  { sessionOnly, scopes: needed, isOpen }: Rules,
): { headers: Record<string, string>; refusal?: Refusal } {
  const isRead = method === 'GET'
  const session = me.sessions[act.place % Math.max(1, me.sessions.length)]
  const cookie = cookieOf(session ?? { id: '', token: 'ended' })
  if (isOpen) {
    const origin = `http://${world.client.host}`
    return { headers: act.as === 'anonymous' ? {} : { cookie, origin } }
  }
  if (act.as === 'anonymous') return { headers: {}, refusal: unauthorized }
  if (act.as === 'nonsense') {
    const authorization = act.place % 2 === 0 ? 'Bearer nonsense' : `Basic ${me.began.key}`
    return { headers: { authorization, cookie }, refusal: unauthorized }
  }
  if (act.as === 'session' || act.as === 'cross-site') {
    const isOutside = act.as === 'cross-site'
    const headers = { cookie, ...(isOutside && { origin: elsewhere }) }
    if (!session || me.isDisabled) return { headers, refusal: unauthorized }
    return { headers, ...(isOutside && !isRead && { refusal: crossSite }) }
  }
  const { text, scopes } = keyOf(me, act)
  const headers = { authorization: `${act.place % 2 === 0 ? 'Bearer' : 'bearer'} ${text}` }
  if (!scopes || me.isDisabled) return { headers, refusal: unauthorized }
  if (sessionOnly) return { headers, refusal: needsSession }
  const isAllowed = (needed ?? [isRead ? 'read' : 'write']).every((scope) => scopes.includes(scope))
  return { headers, ...(!isAllowed && { refusal: insufficient }) }
}

/** The actor of this call, as webhooks show it. */
export function creatorOf({ me, act }: Scene) {
  if (act.as === 'session') return { kind: 'person' }
  const { text } = keyOf(me, act)
  const key = [...me.rows.keys.values()].find((each) => each.text === text)
  return { kind: 'key', id: key?.id, name: key?.name }
}

/** The key that is sent, and its scopes, unless it is revoked or expired. */
function keyOf({ began, rows, revoked }: Person, { as, place }: Act) {
  const live = [...rows.keys.values()]
  const texts: Partial<Record<Credential, string>> = {
    ...began,
    issued: live[place % Math.max(1, live.length)]?.text,
    revoked: revoked[place % Math.max(1, revoked.length)],
  }
  const text = texts[as] ?? began.key
  const key = live.find((each) => each.text === text)
  const isLive = key !== undefined && (key.expiresAt === null || key.expiresAt > Date.now())
  return { text, ...(isLive && { scopes: key.scopes }) }
}
