// SIGTERM during work: every request that has begun is finished and answered, then the process ends.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openConnection, request, Unanswered } from '../kit/connection.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { startServer } from '../kit/server.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'

export const harness: Harness = {
  name: 'drain',
  prove,
  mutants: faultsOf('drain'),
  mutantsInShort: 1,
  atOnce: 2,
  mostTogether: 2,
}

const longestMs = 5000
const clients = 12
const lockedMs = 500
const held = 5

async function prove(trial: Trial) {
  const { mutant, dose } = trial
  const rounds = dose === 'long' ? 20 : 6
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const db = openPool(database.url, 2)
  const findings: string[] = []
  const exits: number[] = []
  let answered = 0
  try {
    const workers = await newWorkers(db, clients, 20)
    for (let round = 0; round < rounds && findings.length === 0; round += 1) {
      // A client that never finishes its request keeps the process alive until the timeout.
      const isStuck = mutant ? mutant.control === 'stuck' : round === rounds - 1
      const seen = await drain(trial, database.url, db, workers, round, isStuck)
      findings.push(...seen.findings.map((finding) => `round ${round}: ${finding}`))
      answered += seen.answered
      exits.push(seen.exitMs)
    }
  } finally {
    await db.end()
    await database.drop()
  }
  const slowest = Math.max(...exits).toFixed(0)
  return {
    tried: `${exits.length} × SIGTERM`,
    findings,
    figures: [`${answered} requests answered, none lost; the slowest exit ${slowest} ms`],
  }
}

async function drain(
  { mutant, seed }: Trial,
  databaseUrl: string,
  db: pg.Pool,
  workers: Worker[],
  round: number,
  isStuck: boolean,
) {
  const server = await startServer({ databaseUrl, mutant })
  const port = Number(new URL(server.origin).port)
  const load = work(port, workers, `round ${seed} ${round}`)
  const stuck = isStuck ? await openConnection(port) : undefined
  stuck?.socket.write('POST /api/tasks HTTP/1.1\r\nHost: localhost\r\n')
  await sleep(150 + ((seed + round * 37) % 150))
  const { outcomes: waiting } = await behindLock(db, port, workers)
  const toldAt = performance.now()
  server.child.kill('SIGTERM')
  const [code] = await Promise.race([
    server.exited,
    sleep(longestMs + 3000).then(() => [Number.NaN] as const),
  ])
  const exitMs = performance.now() - toldAt
  await server.kill()
  stuck?.close()
  const { answers, lost, written } = await load.end
  const late = await waiting

  const findings = [...lost, ...late.filter((outcome) => outcome !== '201')]
  for (const status of answers) if (status >= 300) findings.push(`a request was answered ${status}`)
  if (exitMs > longestMs) findings.push(`it took ${exitMs.toFixed(0)} ms to end`)
  else if (code !== 0) findings.push(`it ended with ${code}`)
  findings.push(...(await findUnacknowledged(db, `round ${seed} ${round}`, written)))
  return { findings: findings.slice(0, 5), answered: answers.length + late.length, exitMs }
}

/** All clients write, read and plan, one request after another, until they are refused. */
function work(port: number, workers: Worker[], mark: string) {
  const answers: number[] = []
  const lost: string[] = []
  const written = new Set<string>()
  const end = Promise.all(
    workers.map(async (worker, number) => {
      let connection = await openConnection(port)
      let isFresh = true
      for (let turn = 0; ; turn += 1) {
        const title = `${mark} ${number}.${turn}`
        try {
          const { status, head } = await connection.ask(piece(worker, number, turn, title))
          answers.push(status)
          if (status === 201) written.add(title)
          isFresh = false
          if (!/\r\nconnection: close/i.test(head)) continue
        } catch (error) {
          // A new connection that was never read counts as refused; any other lost request is a finding.
          const wasHeard = !isFresh || (error instanceof Unanswered && error.begun)
          if (wasHeard) lost.push(`a request got no answer: ${String(error)}`)
        }
        connection.close()
        isFresh = true
        try {
          connection = await openConnection(port)
        } catch {
          return
        }
      }
    }),
  ).then(() => ({ answers, lost, written }))
  return { end }
}

function piece({ key, taskIds }: Worker, number: number, turn: number, title: string) {
  if (number === 0) return request('POST', '/api/planner', { key })
  if (turn % 3 === 0) return request('POST', '/api/tasks', { key, body: { title } })
  if (turn % 3 === 1) return request('GET', '/api/tasks?limit=20', { key })
  return request('PATCH', `/api/tasks/${taskIds[turn % taskIds.length]}`, {
    key,
    body: { description: title },
  })
}

/** Sends requests that cannot be answered before the signal, since the table they need is locked until after it. */
async function behindLock(db: pg.Pool, port: number, workers: Worker[]) {
  const client = await db.connect()
  await client.query('begin; lock table documents in access exclusive mode')
  const outcomes = Promise.all(
    workers.slice(1, 1 + held).map(async ({ key }) => {
      const connection = await openConnection(port)
      const asked = connection.ask(
        request('POST', '/api/documents', { key, body: { title: 'Doc' } }),
      )
      return asked.then(
        ({ status }) => String(status),
        (error: unknown) => `a request that waited got no answer: ${String(error)}`,
      )
    }),
  )
  await waitingFor(db, 'documents')
  setTimeout(() => {
    void client.query('commit').finally(() => client.release())
  }, lockedMs)
  return { outcomes }
}

async function waitingFor(db: pg.Pool, table: string) {
  for (let tries = 0; tries < 500; tries += 1) {
    const { rows } = await db.query(
      `select from pg_locks where relation = $1::regclass and not granted`,
      [table],
    )
    if (rows.length >= held) return
    await sleep(10)
  }
  throw new Error('No request waits for the lock')
}

/** Checks that what was written was acknowledged, and that what was acknowledged was written. */
async function findUnacknowledged(db: pg.Pool, mark: string, written: Set<string>) {
  const { rows } = await db.query<{ title: string }>(
    'select title from tasks where title like $1',
    [`${mark} %`],
  )
  const silent = rows.filter(({ title }) => !written.has(title)).length
  const gone = written.size - (rows.length - silent)
  return [
    ...(silent > 0 ? [`${silent} were written and not answered`] : []),
    ...(gone > 0 ? [`${gone} were answered and not written`] : []),
  ]
}
