// Two APIs, two workers, many users who make changes, and repeated kills of a worker during a run.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDatabase, openPool } from '../kit/database.ts'
import type { Mutant } from '../kit/harness.ts'
import type { Random } from '../kit/random.ts'
import { type Server, startServer } from '../kit/server.ts'
import { usersLockedBy, whatIsLeft, wrongEvents, wrongPlans } from './judge.ts'
import { listen, patches } from './observe.ts'
import { newAutomaticPerson, type Person } from './people.ts'
import { startReceiver } from './receiver.ts'
import { newWatch, type RunPart } from './watch.ts'

const failing = 0.3
const patient = 1500
const longestMs = 30_000
/** The time limit after the last change for all work, including interrupted jobs and what waited behind them. */
const patienceMs = longestMs + 5000
const settings = {
  WORKER_PORT: '0',
  WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 30 }, () => '0.1').join(','),
}

export type Setup = {
  postgres: string
  people: number
  random: Random
  signal: AbortSignal
  mutant?: Mutant
}

export async function newWorld({ postgres, people: count, random, signal, mutant }: Setup) {
  const database = await newDatabase(postgres, { isHasty: true })
  const db = openPool(database.url, 4)
  db.on('error', () => {}) // dropping a database ends its connections
  const leaving = new AbortController()
  const people: Person[] = []
  const findings: string[] = []
  // Users who make a change while they are being planned, and users who plan by request while a plan of
  // theirs is being written.
  const fidgety = new Map<string, { person: Person; part: RunPart }>()
  const impatient = new Map<string, Person>()
  const changing: Promise<void>[] = []
  const watch = newWatch((userId, part) => {
    const waits = impatient.get(userId)
    if (waits && part === 'write') {
      impatient.delete(userId)
      changing.push(waits.planNow())
    }
    const fidgets = fidgety.get(userId)
    // A change while the plan is computed makes the run begin again; a later one leaves the plan stale.
    if (fidgets?.part !== part) return
    fidgety.delete(userId)
    changing.push(fidgets.person.change())
  })
  const options = {
    databaseUrl: database.url,
    settings,
    patches,
    ...(mutant && { mutant }),
    onSpawn: (child: ChildProcess) => listen(child, watch.hear),
  }
  const start = (program: string) => startServer(options, program)
  async function startWorker() {
    const worker = await start('server/bin/worker.ts')
    // Otherwise a kill would not count for the users whose jobs it had locked.
    if (watch.poolsOf(worker.pid).length === 0) throw new Error('A worker has reported no pool')
    return worker
  }
  const apis = await Promise.all([start('server/bin/api.ts'), start('server/bin/api.ts')])
  const workers: Server[] = await Promise.all([startWorker(), startWorker()])
  const receiver = await startReceiver({ random: random.fork(), failing, slowMs: 60 })
  const origins: [string, string] = [apis[0].origin, apis[1].origin]
  for (let number = 0; number < count; number += 1) {
    const path = `/${number}`
    const url = receiver.urlOf(path)
    const own = random.fork()
    const reading = AbortSignal.any([signal, leaving.signal])
    people.push(await newAutomaticPerson({ db, origins, random: own, signal: reading, path, url }))
  }
  let midRun = 0

  /**
   * All users make changes, some more than one, and a worker is killed meanwhile. A plan that stays stale shows only
   * after the last change, so in the last round most users change something while their plan is written.
   */
  async function round(isLast: boolean) {
    for (const person of people) {
      const part: RunPart = random.chance(isLast ? 0.8 : 0.5) ? 'write' : 'run'
      if (random.chance(isLast ? 0.9 : 0.3)) fidgety.set(person.id, { person, part })
      else if (random.chance(0.4)) impatient.set(person.id, person)
    }
    const rush = people.map(async (person) => {
      await sleep(random.between(0, isLast ? 300 : 1500))
      const atOnce = random.between(1, 3)
      await Promise.all(Array.from({ length: atOnce }, () => person.change()))
    })
    await sleep(isLast ? 1800 : random.between(500, 2500))
    await killOne()
    await Promise.all(rush)
  }

  async function killOne() {
    const victim = await chooseVictim()
    const { pid } = victim
    if (watch.busyWith('run', pid) > 0) midRun += 1
    const killedAt = Date.now()
    const silent = new Promise((resolve) => victim.child.once('close', resolve))
    await victim.kill()
    await silent
    workers[workers.indexOf(victim)] = await startWorker()
    // Only now, since a statement that was running at the kill may lock a job afterwards.
    watch.bury(pid, killedAt, await usersLockedBy(db, watch.poolsOf(pid)))
  }

  /** The busiest worker: at least two runs and a delivery, if that occurs within the time limit. */
  async function chooseVictim() {
    for (let waited = 0; ; waited += 5) {
      const enough = waited < patient ? 2 : 1
      const busy = workers.find(
        ({ pid }) =>
          watch.busyWith('run', pid) >= enough && watch.busyWith('send', pid) >= enough - 1,
      )
      if (busy) return busy
      if (waited > 2 * patient) return random.pick(workers)
      await sleep(5)
    }
  }

  /** Whether something was found already. */
  const isBroken = () => people.some((person) => person.findings.length > 0)

  /** Waits until no work is left, or until the time limit. */
  async function settle() {
    await Promise.all(changing)
    fidgety.clear()
    impatient.clear()
    const began = Date.now()
    for (let left = await whatIsLeft(db); left; left = await whatIsLeft(db)) {
      if (isBroken()) break
      if (Date.now() - began > patienceMs || signal.aborted) {
        findings.push(`${patienceMs / 1000} s after the last change there is left: ${left}`)
        break
      }
      await sleep(200)
    }
    await sleep(1000) // lets the readers catch up
    return Date.now() - began
  }

  async function judge() {
    let events = 0
    const lines: string[] = []
    for (const person of people) {
      const seen = await wrongEvents(db, person, receiver)
      events += seen.count
      lines.push(...seen.lines)
    }
    const late = watch.waits().filter(({ ms }) => ms > longestMs)
    const plans = await wrongPlans(db)
    findings.push(
      ...people.flatMap((person) => person.findings),
      ...watch.writesAtOnce(),
      ...late.map(({ what, key, ms }) => `${what} of ${key} was resumed after ${ms} ms`),
      ...plans,
      ...lines,
    )
    return events
  }

  return {
    round,
    settle,
    isBroken,
    judge,
    findings,
    figures: () => {
      return {
        midRun,
        runs: watch.counts.run,
        changes: people.reduce((sum, person) => sum + person.changes(), 0),
        cutOff: watch.cutOff.length,
        longestWaitMs: Math.max(0, ...watch.waits().map(({ ms }) => ms)),
        ...receiver.count(),
      }
    },
    async leave() {
      leaving.abort()
      await Promise.all([...apis, ...workers].map((server) => server.kill()))
      receiver.close()
      await db.end()
      await database.drop()
    },
  }
}
