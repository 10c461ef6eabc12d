// Overload: floods, sixty concurrent planner runs, two thousand slow clients.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { plan, runs } from '../../../server/bench/planner-rush.ts'
import { quantile, sendAtRate } from '../kit/send-at-rate.ts'
import { request } from '../kit/connection.ts'
import { pinToCores } from '../kit/cores.ts'
import { newDatabase } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { collecting } from '../kit/memory.ts'
import { type Server, startServer } from '../kit/server.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'
import { countThreadCpu } from '../kit/thread-cpu.ts'
import { flood, type Wave, waves } from './flood.ts'
import { startGenerator } from './generator.ts'
import { runSlowClients, slowClients } from './slow-clients.ts'

export const harness: Harness = {
  name: 'overload',
  prove,
  mutants: [
    ...faultsOf('overload'),
    {
      name: 'requests in flight are not limited',
      control: 'open 50×',
      settings: { MAX_IN_FLIGHT: '1000000', POOL_QUEUE: '1000000' },
    },
  ],
  mutantsInShort: 1,
  mostTogether: 1,
}

const mostTimesSlower = 2
/** The main thread's share of the processor time of planner runs: it reads the problem and writes the plan. */
const mostOnMainThread = 0.5
const mostDelayMs = 50
const longestLifeMs = 15_000

/** What fails at 10× fails at 50× as well; the long dose shows at which load it begins to fail. */
const wavesOf = { short: waves.filter((wave) => wave.endsWith('50×')), long: waves }

type Found = { findings: string[]; figures: string[] }

async function prove(trial: Trial) {
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const people = await newWorkers(client, 21, 50)
  await client.query('vacuum analyze')
  await client.end()
  const only = trial.mutant?.control
  const found: Found = { findings: [], figures: [] }
  const look = async (part: () => Promise<Found>) => {
    const { findings, figures } = await part()
    found.findings.push(...findings)
    found.figures.push(...figures)
  }
  try {
    const floods = only ? waves.filter((wave) => wave === only) : wavesOf[trial.dose]
    if (floods.length > 0) await look(() => runFloods(trial, database.url, people, floods))
    if (!only || only === 'planner') await look(() => runRush(trial, database.url, people))
    if (!only || only === 'slow') await look(() => amongSlow(trial, database.url, people))
  } finally {
    await database.drop()
  }
  const tried = `${wavesOf[trial.dose].join(', ')}; ${runs} runs; ${slowClients} slow clients`
  return { tried, ...found }
}

async function runFloods(
  trial: Trial,
  databaseUrl: string,
  people: Worker[],
  todo: readonly Wave[],
) {
  const { mutant, dose } = trial
  const server = await startServer({ databaseUrl, mutant, flags: collecting })
  const generator = startGenerator()
  const found: Found = { findings: [], figures: [] }
  const isLong = dose === 'long'
  const requests = mixed(people)
  try {
    const port = portOf(server)
    const warm = { port, requests, kind: 'closed' as const, clients: 64, settleMs: 0 }
    await generator.offer({ ...warm, ms: isLong ? 10_000 : mutant ? 800 : 1500 })
    await pinToCores(server.pid, databaseUrl, generator.pid)
    for (const wave of todo) {
      const { findings, figure } = await flood(wave, {
        server,
        generator,
        requests,
        rounds: isLong ? 9 : 3,
        leastGoodput: isLong ? 0.9 : 0.7,
        ...(isLong && { longestMs: 1000 }),
        ms: isLong ? 10_000 : 2400,
        enoughFaulty: mutant ? 2 : Infinity,
        say: (line) => trial.say(line),
      })
      found.findings.push(...findings)
      found.figures.push(figure)
    }
  } finally {
    generator.stop()
    await server.kill()
  }
  return found
}

/** A few lists, a few single tasks, and some changes. */
const mixed = (people: Worker[]) =>
  people.flatMap(({ key, taskIds }) =>
    taskIds
      .slice(0, 10)
      .flatMap((id) => [
        request('GET', '/api/tasks?limit=10', { key }),
        request('GET', `/api/tasks/${id}`, { key }),
        request('GET', '/api/labels', { key }),
        request('PATCH', `/api/tasks/${id}`, { key, body: { title: 'Changed', priority: 'low' } }),
      ]),
  )

/** Sixty concurrent runs of one user; twenty others keep reading, on schedule. */
async function runRush(trial: Trial, databaseUrl: string, people: Worker[]): Promise<Found> {
  const server = await startServer({ databaseUrl, mutant: trial.mutant })
  const [planner, ...others] = people
  const ratios: number[] = []
  const lines: string[] = []
  const findings: string[] = []
  try {
    await medianOf(others, server, () => plan(server.origin, others[0]?.key ?? '', 1))
    // Measured without other requests. The share does not depend on the speed of the machine.
    const cpuSinceNow = await countThreadCpu(server.pid)
    await plan(server.origin, planner?.key ?? '')
    const { mainMs, allMs } = await cpuSinceNow()
    const share = `the thread that serves does ${((mainMs / allMs) * 100).toFixed(0)} % of ${runs} runs`
    lines.push(share)
    if (mainMs > allMs * mostOnMainThread) findings.push(share)
    const rounds = trial.dose === 'long' ? 5 : 1
    while (ratios.length < rounds) {
      const alone = await medianOf(others, server, () => sleep(2000))
      const beside = await medianOf(others, server, () => plan(server.origin, planner?.key ?? ''))
      ratios.push(beside / alone)
      lines.push(
        `median of others ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${runs} runs`,
      )
    }
  } catch (error) {
    return { findings: [`beside ${runs} runs: ${String(error)}`], figures: [] }
  } finally {
    await server.kill()
  }
  const ratio = quantile(ratios, 0.5)
  const figure = `${lines.join('; ')}: ${ratio.toFixed(2)}×`
  // The short dose judges only processor time, since a median of milliseconds depends on the machine.
  if (trial.dose === 'long' && ratio > mostTimesSlower) findings.push(figure)
  return { findings, figures: [figure] }
}

/** The median wait for a list until `work` is done. */
async function medianOf(people: Worker[], server: Server, work: () => Promise<unknown>) {
  const lists = people.map(({ key }) => request('GET', '/api/tasks?limit=10', { key }))
  let turn = 0
  const reading = sendAtRate(portOf(server), 200, () => lists[turn++ % lists.length] ?? '')
  try {
    await work()
  } finally {
    await reading.stop()
  }
  const { seen, broken } = await reading.stop()
  const refused = seen.find(({ status }) => status !== 200)
  if (refused) throw new Error(`Others were answered ${refused.status}`)
  if (broken[0]) throw new Error(`Others were not answered: ${broken[0]}`)
  return quantile(
    seen.map(({ tookMs }) => tookMs),
    0.5,
  )
}

async function amongSlow(trial: Trial, databaseUrl: string, people: Worker[]): Promise<Found> {
  // The long dose uses the default timeout; the short one a smaller one.
  const isLong = trial.dose === 'long'
  const settings: Record<string, string> = isLong ? {} : { REQUEST_TIMEOUT_MS: '2000' }
  const longestMs = isLong ? longestLifeMs : 5000
  const server = await startServer({ databaseUrl, mutant: trial.mutant, settings })
  try {
    const key = people[0]?.key ?? ''
    const order = { port: portOf(server), key, patienceMs: longestMs + 1000 }
    const { before, meanwhile, report } = await runSlowClients(order, mixed(people))
    const findings = Object.entries(meanwhile.wrong).map(
      ([status, count]) => `${count} of others were answered ${status} beside slow clients`,
    )
    if (report.closed < slowClients) {
      findings.push(`${slowClients - report.closed} slow clients are still there`)
    } else if (report.longestMs > longestMs) {
      findings.push(`a slow client was let ${report.longestMs.toFixed(0)} ms`)
    }
    const figure =
      `others waited ${describe(meanwhile)} beside ${slowClients} slow clients, ` +
      `${describe(before)} before; all gone after ${report.longestMs.toFixed(0)} ms`
    // In the short dose, opening and closing 2,000 connections delays 1 % of the requests: p99 depends on the machine.
    const delayMs = isLong ? meanwhile.p99Ms - before.p99Ms : meanwhile.p50Ms - before.p50Ms
    if (delayMs > mostDelayMs) findings.push(figure)
    return { findings, figures: [figure] }
  } finally {
    await server.kill()
  }
}

const describe = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }) =>
  `${p50Ms.toFixed(1)} ms (p99 ${p99Ms.toFixed(0)} ms)`

const portOf = ({ origin }: Server) => Number(new URL(origin).port)
