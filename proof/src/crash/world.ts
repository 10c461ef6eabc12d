// One PostgreSQL, one service, sixteen writers for eight users, and repeated kills.
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenInvariants } from '../kit/invariants.ts'
import type { Mutant } from '../kit/harness.ts'
import { newPerson } from '../kit/people.ts'
import { persistentClient } from '../kit/persistent.ts'
import type { Random } from '../kit/random.ts'
import { compare, forgetKeys, newRegister } from '../kit/register.ts'
import { type Server, startServer } from '../kit/server.ts'
import { newWriter, type PlannerPart } from '../kit/writer.ts'
import { kill, type Kind, kinds, needsPostgres, needsServer } from './kills.ts'
import { ownPostgres, withConnection } from '../kit/own-postgres.ts'

const people = 8
const writersEach = 2
/** The time limit for answering every write after a kill, including the restart of the service and PostgreSQL. */
const patienceMs = 30_000

// Scheduled blocks of the planner must not overlap, whichever run created them.
const overlapping = `
  select from time_blocks a join time_blocks b
      on b.user_id = a.user_id and b.id > a.id and b.start_at < a.end_at and a.start_at < b.end_at
   where a.status = 'scheduled' and b.status = 'scheduled' and a.source = 'auto' and b.source = 'auto'`
const halfRuns = `
  select from planner_runs run
   where run.state <> 'preview'
     and (select count(*) from time_blocks block
           where block.user_id = run.user_id and block.made_by_run = run.id)
         <> (run.summary -> 'result' ->> 'tasksScheduled')::int`

export type Setup = {
  random: Random
  signal: AbortSignal
  mutant?: Mutant
  /** What to kill, for a planted fault that only one kind of kill reveals. */
  aim?: Kind
  databaseOptions?: string
  planner?: PlannerPart
  /** False for a fault that stores no keys at all, which must be found by its effect. */
  countKeys?: boolean
}

export type World = Awaited<ReturnType<typeof newWorld>>

export async function newWorld(setup: Setup) {
  const { random, signal, mutant, aim, databaseOptions, planner, countKeys } = setup
  const postgres = await ownPostgres()
  const databaseUrl = databaseOptions
    ? `${postgres.url}&options=${encodeURIComponent(databaseOptions)}`
    : postgres.url
  const start = () =>
    startServer({ databaseUrl, settings: { UNSAFE_DATABASE: 'refuse' }, ...(mutant && { mutant }) })
  let server: Server = await start()
  let isPaused = true
  const findings: string[] = []

  const registers = await withConnection(postgres.url, async (client) => {
    const all = []
    for (let i = 0; i < people; i += 1) {
      const { id, key } = await newPerson(client)
      all.push({ ...newRegister(id), key })
    }
    return all
  })
  const writers = registers.flatMap((register, person) =>
    Array.from({ length: writersEach }, (_, number) => {
      const name = `w${person}.${number}`
      const own = random.fork()
      const { key } = register
      const origin = () => server.origin
      const send = persistentClient({ origin, key, name, random: own, signal })
      return newWriter({ name, send, random: own, register, ...(planner && { planner }) })
    }),
  )

  const isOn = () => !isPaused && findings.length === 0
  /** Repeats the write until paused; the current write is completed. */
  const keepWriting = (write: () => Promise<void>) => async () => {
    while (isOn()) await write()
  }

  /** Writes for a while, kills, restarts what was killed, and checks the data. */
  async function round(number: number) {
    const kind = aim ?? random.pick(kinds)
    isPaused = false
    const writes = Promise.all(
      writers.map((write) => keepWriting(write)().catch((error: Error) => note(error.message))),
    )
    await sleep(aim ? random.between(200, 400) : random.between(200, 1000))
    await kill(kind, server, postgres, random)
    if (needsPostgres(kind)) await postgres.start()
    if (needsServer(kind)) server = await restart()
    isPaused = true
    const settled = await Promise.race([
      writes.then(() => true),
      sleep(patienceMs, false, { ref: false }),
    ])
    if (!settled) note(`a write is not answered after ${patienceMs} ms`)
    for (const line of await wrong()) note(line)

    function note(line: string) {
      if (!signal.aborted) findings.push(`after kill ${number} (${kind}): ${line}`)
    }
  }

  /** A start may be interrupted by its database, so it is retried with backoff. */
  async function restart() {
    for (let pause = 100; ; pause *= 2) {
      try {
        return await start()
      } catch (error) {
        if (pause > 3000) throw error
        await sleep(pause)
      }
    }
  }

  async function wrong(): Promise<string[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await withConnection(postgres.url, async (client) => {
          const lines = [
            ...(await compare(client, registers, countKeys)),
            ...(await brokenInvariants(client)),
            ...(await findRows(`overlapping blocks of the planner's`, overlapping)),
            ...(await findRows('half-applied planner runs', halfRuns)),
          ]
          if (lines.length === 0) await forgetKeys(client, registers)
          return lines

          async function findRows(what: string, query: string) {
            const { rowCount } = await client.query(query)
            return rowCount ? [`${rowCount} ${what}`] : []
          }
        })
      } catch (error) {
        if (tries === 100) throw error // until then, PostgreSQL may still be recovering
        await sleep(50)
      }
    }
  }

  return {
    round,
    findings,
    count: () => ({
      acknowledged: sum(registers.map(({ acknowledged }) => acknowledged)),
      replayed: sum(registers.map(({ replayed }) => replayed)),
      runs: sum(registers.map(({ runs }) => runs)),
    }),
    async leave() {
      isPaused = true
      await server.kill()
      await postgres.leave()
    },
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
