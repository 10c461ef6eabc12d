// Thirty writers, one client that signs in, the service, and a connection to its database that can be broken.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newDatabase } from '../kit/database.ts'
import type { Mutant } from '../kit/harness.ts'
import { brokenInvariants } from '../kit/invariants.ts'
import { newPerson } from '../kit/people.ts'
import { type Attempt, persistentClient } from '../kit/persistent.ts'
import type { Random } from '../kit/random.ts'
import { compare, forgetKeys, newRegister, type Register } from '../kit/register.ts'
import { plantedPassword } from '../kit/secrets.ts'
import { startServer } from '../kit/server.ts'
import { recordStolen } from '../kit/stolen.ts'
import { newWriter } from '../kit/writer.ts'
import { type Mode, startProxy } from './proxy.ts'

const people = 10
const writersEach = 3
/** The time limit for a 503 while the database is unreachable, not counting processor time stolen by the host. */
const answerMs = 2000
/** The time limit for recovery, not counting stolen time either. */
const recoveryMs = 1000

type Setup = { postgres: string; random: Random; signal: AbortSignal; mutant?: Mutant }

export async function newWorld({ postgres, random, signal, mutant }: Setup) {
  const database = await newDatabase(postgres)
  const proxy = await startProxy(database.url)
  const server = await startServer({ databaseUrl: proxy.url, ...(mutant && { mutant }) })
  const db = new pg.Client(database.url)
  await db.connect()
  const registers: (Register & { key: string })[] = []
  for (let i = 0; i < people; i += 1) {
    const { id, key } = await newPerson(db)
    registers.push({ ...newRegister(id), key })
  }
  const patienceMs = mutant ? 5000 : 15_000
  let isPaused = true
  let attempts: Attempt[] = []
  const failures: string[] = []
  const onAttempt = (attempt: Attempt) => void attempts.push(attempt)
  const writers = registers.flatMap((register, person) =>
    Array.from({ length: writersEach }, (_, number) => {
      const name = `w${person}.${number}`
      const own = random.fork()
      const { key } = register
      const origin = () => server.origin
      const send = persistentClient({ origin, key, name, random: own, signal, onAttempt })
      return newWriter({ name, send, random: own, register })
    }),
  )

  /** Creates a label with a name that is taken, which causes a rollback each time. */
  const [anyone] = registers
  const refused = persistentClient({
    origin: () => server.origin,
    key: anyone?.key ?? '',
    name: 'refused',
    random: random.fork(),
    signal,
  })
  const { body } = await refused('POST', '/api/labels', { name: 'taken' })
  anyone?.records.set(`label ${(body as { id: string }).id}`, 'taken')

  const isOn = () => !isPaused && failures.length === 0
  async function keepWriting(write: () => Promise<void>) {
    while (isOn()) await write()
  }

  async function signIn() {
    const what = 'POST /api/auth/sign-in/email'
    const began = performance.now()
    const answer = await fetch(`${server.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin },
      body: JSON.stringify({ email: 'nobody@example.com', password: plantedPassword }),
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => undefined)
    await answer?.text()
    const ms = performance.now() - began
    if (!answer) return onAttempt({ what, began, ms })
    if (answer.status >= 500 && answer.status !== 503) {
      failures.push(`${what} is answered ${answer.status}`)
    }
    onAttempt({
      what,
      began,
      ms,
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
    })
    await sleep(200)
  }

  /** Breaks the connection in one way for a while, under load, and returns the findings. */
  async function suffer(mode: Mode, ms: number): Promise<string[]> {
    attempts = []
    isPaused = false
    const stolen = recordStolen()
    const writes = Promise.all(
      [...writers, signIn].map((write) =>
        keepWriting(write).catch((error: Error) => void failures.push(error.message)),
      ),
    )
    await sleep(500)
    const broken = performance.now()
    await proxy.set(mode)
    await sleep(ms)
    await proxy.set('pass')
    const mended = performance.now()
    await sleep(recoveryMs + 300)
    isPaused = true
    const settled = await Promise.race([
      writes.then(() => true),
      sleep(patienceMs, false, { ref: false }),
    ])
    stolen.stop()
    const findings = [
      ...failures.splice(0),
      ...(settled ? [] : ['writes are never answered']),
      ...judge(attempts, broken, mended, stolen.between),
      ...(server.child.exitCode === null
        ? []
        : [`the service ended: ${server.tail().slice(-500)}`]),
      ...(settled ? await stateOfData() : []),
    ]
    return findings.map((finding) => `${mode}: ${finding}`)
  }

  async function stateOfData() {
    await refused('POST', '/api/labels', { name: 'taken' })
    const lines = [...(await compare(db, registers, false)), ...(await brokenInvariants(db))]
    const open = await db.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'daywright'
          and state like 'idle in transaction%'`,
    )
    if (open.rowCount) lines.push(`${open.rowCount} connections left in a transaction`)
    if (lines.length === 0) await forgetKeys(db, registers)
    return lines
  }

  return {
    suffer,
    slowest: () => Math.max(0, ...attempts.map(({ ms }) => ms)),
    acknowledged: () => registers.reduce((all, one) => all + one.acknowledged, 0),
    replayed: () => registers.reduce((all, one) => all + one.replayed, 0),
    async leave() {
      isPaused = true
      await server.kill()
      proxy.leave()
      await db.end()
      await database.drop()
    },
  }
}

type StolenBetween = (from: number, to: number) => number

function judge(attempts: Attempt[], broken: number, mended: number, stolen: StolenBetween) {
  const findings: string[] = []
  const note = (count: number, what: string) => {
    if (count > 0) findings.push(`${count} × ${what}`)
  }
  const msBetween = (from: number, to: number) => to - from - stolen(from, to)
  const isDone = ({ status }: Attempt) => status !== undefined && status < 500
  const during = attempts
    .filter(({ began }) => began < mended)
    .map((one) => ({ ...one, ms: msBetween(Math.max(one.began, broken), one.began + one.ms) }))
  // A planner run may take longer, as long as it ends.
  const slow = during.filter(
    (one) => one.ms > answerMs && !(isDone(one) && one.what.includes('/api/planner')),
  )
  const [slowest] = slow.toSorted((a, b) => b.ms - a.ms)
  note(
    slow.length,
    `answered later than after ${answerMs} ms, such as ${slowest?.what} with ${slowest?.status} ` +
      `after ${Math.round(slowest?.ms ?? 0)} ms`,
  )
  note(attempts.filter(({ status }) => status === undefined).length, 'not answered at all')
  note(
    attempts.filter(({ status, retryAfter }) => status === 503 && !retryAfter).length,
    '503 without Retry-After',
  )
  const after = attempts.filter(({ began }) => began > mended)
  const first = after.find(isDone)
  if (!first) findings.push('nothing is served after the line is mended')
  else if (msBetween(mended, first.began + first.ms) > recoveryMs) {
    findings.push(`first served ${Math.round(first.began + first.ms - mended)} ms after mending`)
  }
  const late = after.filter((one) => !isDone(one) && msBetween(mended, one.began) > recoveryMs)
  note(late.length, `refused later than ${recoveryMs} ms after the line was mended`)
  return findings
}
