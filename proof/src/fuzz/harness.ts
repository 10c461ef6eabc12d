// A million requests generated from the service's own OpenAPI document.
import type pg from 'pg'
import { newDatabase, openPool } from '../kit/database.ts'
import { everythingOf } from '../kit/everything-of.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Result, Trial } from '../kit/harness.ts'
import { type Document, type Operation, operationsOf } from '../kit/operations.ts'
import { type Server, startServer } from '../kit/server.ts'
import { type Answer, type Connection, openConnection } from './connection.ts'
import { judgeOf, slowestMs } from './judge.ts'
import { type Random, randomFrom } from '../kit/random.ts'
import { type Request, requestFor } from './requests.ts'
import { signInAndOut } from './sign-ins.ts'
import { authSecret, newVisitor, type Visitor } from './visitor.ts'

const requests = { short: 4000, long: 1_000_000 }
const connections = 8
/** After this many requests a new user takes over, so that lists do not grow without end. */
const stay = 600

/** Operations that cannot succeed here, since they need an external server. */
const needsServer = new Set([
  'POST /api/calendars/preview',
  'POST /api/calendars/discover',
  'POST /api/connected-accounts/authorize',
  'POST /api/connected-accounts',
  'GET /api/connected-accounts/{id}/calendars',
  'DELETE /api/connected-accounts/{id}',
])

export const harness: Harness = {
  name: 'fuzz',
  prove,
  mutants: faultsOf('fuzz'),
  mutantsInShort: 2,
  atOnce: 2,
}

async function prove(trial: Trial): Promise<Result> {
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const pool = openPool(database.url, 4)
  const server = await startServer({
    databaseUrl: database.url,
    settings: { AUTH_SECRET: authSecret, UNSAFE_DATABASE: 'allow' },
    ...(trial.mutant && { mutant: trial.mutant }),
  })
  try {
    return await fuzz(trial, server, pool)
  } finally {
    await server.kill()
    await pool.end()
    await database.drop()
  }
}

type Tally = Map<string, { sent: number; done: number }>

async function fuzz(trial: Trial, server: Server, pool: pg.Pool): Promise<Result> {
  const { origin } = server
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Document
  const judge = judgeOf(document)
  const operations = operationsOf(document)
  const weighed = operations.map((operation) => [weightOf(operation), operation] as const)
  const tally: Tally = new Map(operations.map(({ name }) => [name, { sent: 0, done: 0 }]))
  const findings: string[] = []
  // To find a planted fault, up to twelve times as many requests are sent.
  const total = requests[trial.dose] * (trial.mutant ? 12 : 1)
  let left = total
  const enough = trial.mutant ? 1 : 20
  const least = trial.mutant ? 4 : 0
  const isOver = () => left <= 0 || trial.signal.aborted || findings.length >= enough

  const ada = await newVisitor(pool, origin)
  const victim = await newVisitor(pool, origin)
  const first = openConnection(origin)
  await makeSomething(ada, randomFrom(trial.seed), first)
  const before = await everythingOf(pool, ada.id)
  if (!trial.mutant) await signInAndOut(askSigningIn)
  first.close()

  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, (_, lane) => visit(lane)))
  const seconds = (performance.now() - began) / 1000
  if (!trial.mutant) await succeedOnce()
  await checkAda()
  if (!trial.mutant && !trial.signal.aborted) {
    for (const [name, { done }] of tally) {
      if (done === 0 && !needsServer.has(name)) findings.push(`${name} never succeeded`)
    }
  }
  return {
    tried: `${(total - left).toLocaleString('en')} requests`,
    findings: findings.slice(0, enough),
    figures: [
      `${Math.round((total - left) / seconds)} requests a second`,
      `answered 2xx, of each operation: ${shares(tally)}`,
    ],
  }

  function askSigningIn(name: string, body: object | undefined, cookie: string) {
    const operation = operationNamed(name)
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['sec-fetch-site', 'same-origin'],
      ['origin', origin],
      ['cookie', cookie],
    ]
    const text = body && JSON.stringify(body)
    return ask(first, operation, {
      way: 'as it is meant',
      method: operation.method,
      target: operation.path,
      headers: headers.filter(([header, value]) => value && (text ?? header !== 'content-type')),
      ...(text && { body: text }),
    })
  }

  async function visit(lane: number) {
    const random = randomFrom(trial.seed * 31 + lane + 1)
    const connection = openConnection(origin)
    while (!isOver()) {
      const visitor = await newVisitor(pool, origin, { adas: ada.ids, victim: victim.id })
      await makeSomething(visitor, random, connection)
      for (let sent = 1; sent <= stay && !isOver(); sent += 1) {
        await one(visitor, random, connection, random.weighed(weighed))
        if (lane === 0 && sent % 150 === 0) await checkAda()
      }
      await emptyBody(visitor, connection)
      await visitor.leave()
    }
    connection.close()
  }

  /** Some operations need records that random requests rarely leave, such as a scheduled block of a task. */
  async function succeedOnce() {
    const random = randomFrom(trial.seed * 31)
    const connection = openConnection(origin)
    const visitor = await newVisitor(pool, origin, { adas: ada.ids, victim: victim.id })
    for (const [name, seen] of tally) {
      if (needsServer.has(name)) continue
      const operation = operationNamed(name)
      // Create records that `makeSomething` does not create, such as a webhook or a dependency.
      const creators = operations.filter(
        ({ method, path }) => method === 'POST' && operation.path.startsWith(`${path}/{`),
      )
      for (let times = 0; seen.done === 0 && times < 40 && !trial.signal.aborted; times += 1) {
        await makeSomething(visitor, random, connection)
        for (const maker of creators) await one(visitor, random, connection, maker, 'fitting')
        for (let again = 0; again < 3; again += 1)
          await one(visitor, random, connection, operation, 'fitting')
      }
    }
    await visitor.leave()
    connection.close()
  }

  async function checkAda() {
    if ((await everythingOf(pool, ada.id)) !== before) {
      findings.push(`seed ${trial.seed}: someone else's rows have changed`)
    }
  }

  /** Creates a record of most kinds, in the order of their dependencies. */
  async function makeSomething(visitor: Visitor, random: Random, connection: Connection) {
    for (const maker of makers)
      await one(visitor, random, connection, operationNamed(maker), 'fitting')
  }

  /** An empty body must be refused; it is not if a `__proto__` in an earlier body has given every object a name. */
  async function emptyBody(visitor: Visitor, connection: Connection) {
    const operation = operationNamed('POST /api/labels')
    const headers: [string, string][] = [['content-type', 'application/json']]
    const { method, path: target } = operation
    headers.push(...visitor.credentials(operation))
    const request = { way: 'nothing in it', method, target, headers, body: '{}', expected: 400 }
    await ask(connection, operation, request)
  }

  async function one(
    visitor: Visitor,
    random: Random,
    connection: Connection,
    operation: Operation,
    way?: string,
  ) {
    left -= 1
    const idOf = (table: string) =>
      isFollowUp(operation) ? visitor.newestIn(table) : visitor.idIn(random, table)
    const credentials = visitor.credentials(operation)
    const request = requestFor({ random, document, operation, credentials, idOf, way, least })
    const answer = await ask(connection, operation, request)
    if (!answer || answer.status >= 300) return
    visitor.learn(operation, answer)
    await followUp(visitor, random, connection, operation, request)
  }

  /** Requests that rarely succeed unless they directly follow another one. */
  async function followUp(
    visitor: Visitor,
    random: Random,
    connection: Connection,
    operation: Operation,
    { target, sentBody }: Request,
  ) {
    if (operation.name === 'POST /api/webhooks') await visitor.deliverFirstEvents()
    const next = followUps[operation.name]
    if (next) await one(visitor, random, connection, operationNamed(next), 'fitting')
    // A link can be removed only if it exists.
    const tie = ties[operation.name]
    if (!tie) return
    const untie = operationNamed(`DELETE ${operation.path}/{${tie}}`)
    if (tally.get(untie.name)?.done && random.chance(0.7)) return
    const other = String((sentBody as Record<string, unknown> | undefined)?.[tie])
    const headers = visitor.credentials(untie)
    const path = `${target.split('?', 1)[0]}/${other}`
    await ask(connection, untie, { way: 'untie', method: 'DELETE', target: path, headers })
  }

  function isStarved({ name }: Operation) {
    return trial.dose === 'short' && inPlannerThreads.test(name)
  }

  function patienceFor(operation: Operation) {
    return isStarved(operation) ? starvedPatienceMs : patienceMs
  }

  function isTimed(operation: Operation) {
    return !hashes.test(operation.name) && !isStarved(operation)
  }

  async function ask(connection: Connection, operation: Operation, request: Request) {
    try {
      const answer = await connection.send(request, patienceFor(operation))
      const seen = tally.get(operation.name)
      if (seen) {
        seen.sent += 1
        if (answer.status < 300) seen.done += 1
      }
      const fault =
        judge(operation, request, answer) ??
        (isTimed(operation) ? await slowness(connection, request, answer) : undefined)
      if (!fault) return answer
      const said =
        answer.status < 500 ? '' : `; the log says ${server.tail().trimEnd().split('\n').at(-1)}`
      report(operation, request, `${fault}; answered ${answer.status} ${short(answer.text)}${said}`)
    } catch (error) {
      if (!request.mayBeCutOff)
        report(operation, request, error instanceof Error ? error.message : String(error))
    }
    return undefined
  }

  function report({ name }: Operation, request: Request, fault: string) {
    const sent = `${request.method} ${short(request.target)} ${JSON.stringify(request.headers.filter(([header]) => header !== 'authorization' && header !== 'cookie'))} ${short(request.body ?? '')}`
    findings.push(`seed ${trial.seed}, ${name}, ${request.way}: ${fault}; to ${sent}`)
  }

  function operationNamed(name: string) {
    const found = operations.find((operation) => operation.name === name)
    if (!found) throw new Error(`There is no ${name}`)
    return found
  }
}

const ties: Record<string, string> = {
  'POST /api/tasks/{id}/documents': 'documentId',
  'POST /api/tasks/{id}/dependencies': 'dependsOnTaskId',
}
/**
 * The request to send directly after another one, since it needs the newest record: a preview that is still current,
 * a document with its hash, a webhook that has received an event, a block that is running.
 */
const followUps: Record<string, string> = {
  'POST /api/planner/preview': 'POST /api/planner/runs/{id}/apply',
  'POST /api/time-blocks/{id}/start': 'POST /api/time-blocks/{id}/stop',
  'POST /api/documents': 'GET /api/documents/{id}/versions/{hash}',
  'POST /api/webhooks': 'POST /api/webhooks/{id}/redeliver',
  'POST /api/recurrences/{id}/skip': 'POST /api/recurrences/{id}/unskip',
  'POST /api/tasks/{id}/recurrence': 'GET /api/tasks/{id}/recurrence',
}
const followingNames = new Set(Object.values(followUps))
const isFollowUp = ({ name }: Operation) => followingNames.has(name)
const makers = [
  'spaces',
  'projects',
  'labels',
  'schedule-preferences',
  'documents',
  'tasks',
  'tasks',
  'tasks',
  'checklist-items',
  'time-blocks',
  'recurrences',
  'planner',
  'planner/preview',
].map((resource) => `POST /api/${resource}`)

/** Repeats a slow request: only the fastest time counts, since seven other connections are busy as well. */
async function slowness(connection: Connection, request: Request, answer: Answer) {
  let fastest = answer.ms
  for (let again = 0; again < 3 && fastest > slowestMs; again += 1) {
    fastest = Math.min(fastest, (await connection.send(request, patienceMs)).ms)
  }
  return fastest > slowestMs ? `it takes ${Math.round(fastest)} ms` : undefined
}

/**
 * Planner threads have a low priority, so their time says nothing about the request while other harnesses run, as in
 * the short dose. The long dose runs alone.
 */
const inPlannerThreads = /^(POST \/api\/planner|GET \/api\/planner\/forecast)/

/** A request without an answer for this long hangs. */
const patienceMs = 20_000
/** The same for requests that wait for a planner thread while other harnesses take the processors. */
const starvedPatienceMs = 60_000

/** Requests that hash a password, which is slow on purpose. */
const hashes = /^POST .*(sign-up|sign-in|change-password)/

/** Expensive requests are sent less often. */
function weightOf({ name, path }: Operation) {
  if (hashes.test(name)) return 0.02
  if (path.startsWith('/api/auth/') || path.startsWith('/health/')) return 0.2
  if (/^POST .api.planner|forecast$/.test(name)) return 0.3
  return name.startsWith('DELETE') ? 0.6 : 1
}

const shares = (tally: Tally) =>
  [...tally]
    .map(([name, { sent, done }]) => `${name} ${Math.round((100 * done) / sent)} %`)
    .join(', ')

const short = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
