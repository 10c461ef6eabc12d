// A watchdog that tells a slow database from an unreachable one, as after a pulled cable or behind a firewall that
// drops packets. Without any error, callers would wait for their whole timeout. When answers are late, a
// separate connection probes PostgreSQL; if the probe gets no answer, all waits end with 503.
import type { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unavailable } from '../errors.ts'
import type { DatabaseHost } from './database-host.ts'

const everyMs = 200
const everyMsInTrouble = 100
const patienceMs = 1000
/** A pause of the machine ends one of the steps at most: PostgreSQL stood still as well, and is owed the rest. */
const patienceSteps = 10

type Reject = (why: string) => void
type Wait = { pid: number | undefined; looks: number; idleLooks: number; giveUp: Reject }

export const applicationName = 'daywright'

// Backends we gave up on are terminated: they may hold locks, and do not know that we are gone.
const idleOrEnded = `
  select pid, case when pid = any($2) then pg_terminate_backend(pid) end
    from pg_stat_activity
   where usename = current_user and application_name = '${applicationName}'
     and (pid = any($2) or (pid = any($1) and state like 'idle%'))`

export function watchConnections(url: string, host: DatabaseHost) {
  const waits = new Set<Wait>()
  const abandoned = new Set<number>()
  let isSilent = false
  /** Set after a lost answer: more may be lost, and each backend may hold a lock that the next one waits for. */
  let isInTrouble = false
  let isWatching = false
  let isOver = false
  let asking: pg.Client | undefined
  let socket: Socket | undefined
  /** The number of answers from backends so far. */
  let answers = 0

  /** Resolves with the answer, or rejects with 503 once it is lost. `pid` is the backend that owes it. */
  function answerOf<Answer>(answer: Promise<Answer>, pid?: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const giveUp = (why: string) => {
        waits.delete(wait)
        isInTrouble = true
        if (pid !== undefined) abandoned.add(pid)
        reject(Object.assign(unavailable(), { cause: new Error(why) }))
      }
      const wait: Wait = { pid, looks: 0, idleLooks: 0, giveUp }
      waits.add(wait)
      answer.then(resolve, reject).finally(() => waits.delete(wait))
      if (pid !== undefined) answer.then(countAnswer, countAnswer)
      if (!isWatching) void watch()
    })
  }

  const countAnswer = (answer: unknown) => {
    if (answer instanceof pg.DatabaseError || !(answer instanceof Error)) answers += 1
  }

  const isNeeded = () => !isOver && (waits.size > 0 || abandoned.size > 0 || isSilent)

  async function watch() {
    isWatching = true
    while (isNeeded()) {
      await sleep(isInTrouble ? everyMsInTrouble : everyMs, undefined, { ref: false })
      const late = [...waits].filter((wait) => (wait.looks += 1) > 1)
      if (late.length > 0 || abandoned.size > 0 || isSilent) await look(late)
      else isInTrouble = false
    }
    isWatching = false
    hangUp()
  }

  async function look(late: Wait[]) {
    const answersBefore = answers
    try {
      const idle = await probe(
        late.flatMap(({ pid }) => pid ?? []),
        [],
      )
      isSilent = false
      for (const wait of late) {
        // Backend idle while we await a result: the query or its response was lost. Checked twice, since the
        // response may just be arriving.
        wait.idleLooks = wait.pid !== undefined && idle.has(wait.pid) ? wait.idleLooks + 1 : 0
        if (wait.idleLooks > 1 && waits.has(wait)) wait.giveUp('A response was lost')
      }
      const ended = [...abandoned]
      if (ended.length > 0) await probe([], ended)
      for (const pid of ended) abandoned.delete(pid)
    } catch (error) {
      // `end` alone would wait for a server that does not answer.
      socket?.destroy()
      hangUp()
      // An error from PostgreSQL, such as "too many connections", is an answer. A failed name lookup says
      // nothing about open connections. If others got answers meanwhile, PostgreSQL is slow, not silent.
      const isAnswering = error instanceof pg.DatabaseError || answers > answersBefore
      isSilent = !isAnswering && !host.isUnknown()
      if (isSilent) for (const wait of waits) wait.giveUp('PostgreSQL does not respond')
    }
  }

  async function probe(pids: number[], ended: number[]) {
    const over = new AbortController()
    try {
      const answer = ask(pids, ended)
      answer.catch(() => {})
      const { rows } = await Promise.race([answer, tooLate(over.signal)])
      return new Set(rows.map(({ pid }) => pid))
    } finally {
      over.abort()
    }
  }

  async function tooLate(signal: AbortSignal): Promise<never> {
    for (let step = 0; step < patienceSteps; step += 1) {
      await sleep(patienceMs / patienceSteps, undefined, { ref: false, signal })
    }
    // One turn later: our own event loop may have been too busy to read the answer.
    await turn()
    throw new Error('The probe got no answer')
  }

  async function ask(pids: number[], ended: number[]) {
    if (!asking) {
      asking = new pg.Client({
        connectionString: url,
        application_name: `${applicationName} watch`,
        stream: () => (socket = host.stream()),
      })
      asking.on('error', () => {}) // the query itself rejects
      await asking.connect()
    }
    return asking.query<{ pid: number }>(idleOrEnded, [pids, ended])
  }

  function hangUp() {
    void asking?.end().catch(() => {})
    asking = undefined
  }

  function stop() {
    isOver = true
    hangUp()
  }

  return { answerOf, isSilent: () => isSilent, stop }
}
