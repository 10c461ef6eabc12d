// All kinds of requests for a long time: the memory after garbage collection must not grow.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newDatabase } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { collecting, memoryOf } from '../kit/memory.ts'
import { startServer } from '../kit/server.ts'
import { newWorkers } from '../kit/tasks.ts'
import { slopeOf } from './slope.ts'
import { startLoad } from './load.ts'

export const harness: Harness = {
  name: 'soak',
  prove,
  mutants: faultsOf('soak'),
  mutantsInShort: 1,
  atOnce: 2,
}

const interpreting = ['--no-flush-bytecode', '--no-opt', '--no-maglev']
const megabyte = 1_048_576
const doses = {
  // Too short to measure minutes: the growth per request is judged.
  short: {
    warmUp: 5000,
    everyMs: 0,
    every: 1000,
    samples: 8,
    mostBytes: 60,
    mostPerMinute: Infinity,
  },
  long: {
    warmUp: 40_000,
    everyMs: 10_000,
    every: 0,
    samples: 180,
    mostBytes: 16,
    mostPerMinute: 0.1,
  },
}

type Sample = { minutes: number; requests: number; heap: number; rss: number }

async function prove(trial: Trial) {
  const dose = doses[trial.dose]
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const people = await newWorkers(client, 8, 30)
  await client.end()
  const server = await startServer({
    databaseUrl: database.url,
    mutant: trial.mutant,
    // Recompilation of hot code would look like a leak for the first minutes.
    flags: trial.dose === 'short' ? [...collecting, ...interpreting] : collecting,
  })
  const samples: Sample[] = []
  const load = startLoad(server.origin, people)
  try {
    await until(dose.warmUp)
    const began = performance.now()
    while (samples.length < dose.samples && !trial.signal.aborted) {
      await Promise.race([sleep(dose.everyMs), load.ended])
      await until(load.done() + dose.every)
      const { heapUsed, external, rss } = await load.whileQuiet(() => memoryOf(server))
      const minutes = (performance.now() - began) / 60_000
      samples.push({ minutes, requests: load.done(), heap: heapUsed + external, rss })
    }
  } finally {
    await load.stop()
    await server.kill()
    await database.drop()
  }
  if (samples.length < dose.samples) throw new Error('There was no time to measure')
  const last = samples.slice(Math.floor(samples.length / 4))
  const perMinute = slopeOf(last, 'minutes', 'heap') / megabyte
  const perRequest = slopeOf(last, 'requests', 'heap')
  const rssPerMinute = slopeOf(last, 'minutes', 'rss') / megabyte
  const count = samples.at(-1)?.requests ?? 0
  const figure =
    `${perMinute.toFixed(3)} MB a minute, ${perRequest.toFixed(1)} bytes a request ` +
    `(resident ${rssPerMinute.toFixed(2)} MB a minute), ${((last.at(-1)?.heap ?? 0) / megabyte).toFixed(1)} MB at the end`
  const isLeaking = !(perRequest <= dose.mostBytes && perMinute <= dose.mostPerMinute)
  return {
    tried: `${(last.at(-1)?.minutes ?? 0).toFixed(1)} min, ${count} requests`,
    findings: [...(isLeaking ? [figure] : []), ...load.wrong()],
    figures: [figure],
  }

  async function until(requests: number) {
    while (load.done() < requests && !trial.signal.aborted) {
      await Promise.race([sleep(20), load.ended])
    }
  }
}
