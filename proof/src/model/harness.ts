// Compares the service with an in-memory model of every operation: random commands of two users, each answer
// compared, and at the end the whole state.
import fc from 'fast-check'
import type pg from 'pg'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Result, Trial } from '../kit/harness.ts'
import { type Server, startServer } from '../kit/server.ts'
import { newClient } from './client.ts'
import { Inconclusive } from './compare.ts'
import { commands, type Profile, profiles, stepsOf } from './profiles.ts'
import { readBack } from './read-back.ts'
import { newWorld, secret, type World } from './world.ts'

const dose = { short: 9000, long: 1_000_000 }
const atOnce = 4
/** How many batches are added for operations that have not succeeded. */
const mostExtraBatches = 20
/** Worlds per batch, before the next profile is chosen. */
const worlds = 5

/** Operations that cannot succeed here, since they need an external server. */
const needsServer = new Set([
  'previewCalendar',
  'discoverCalendars',
  'authorizeConnectedAccount',
  'createConnectedAccount',
  'listAccountCalendars',
  'deleteConnectedAccount',
])

export const harness: Harness = {
  name: 'model',
  mutants: faultsOf('model'),
  atOnce: 2,
  mutantsInShort: 4,
  async prove(trial) {
    const database = await newDatabase(trial.postgres, { isHasty: true })
    const db = openPool(database.url, atOnce)
    const settings = { AUTH_SECRET: secret }
    const server = await startServer({
      databaseUrl: database.url,
      mutant: trial.mutant,
      settings,
    })
    const client = newClient(server.origin)
    try {
      return await tryAll(trial, { client, db, ended: () => endOf(server) })
    } finally {
      client.close()
      await server.kill()
      await db.end()
      await database.drop()
    }
  },
}

/** How a service that ended by itself exited, and the end of its output. */
function endOf({ child, tail }: Server) {
  const { exitCode, signalCode } = child
  if (exitCode === null && signalCode === null) return undefined
  return `the service ended with ${signalCode ?? exitCode}: ${tail().slice(-2000)}`
}

type Place = Pick<World, 'client' | 'db'> & { ended: () => string | undefined }

async function tryAll(trial: Trial, place: Place): Promise<Result> {
  await firstAccount(place.db)
  const began = performance.now()
  const called: World['called'] = new Map()
  const findings = await listUncovered(place)
  const total = profiles.reduce((sum, { share }) => sum + share, 0)
  const commandsFor = (share: number) => Math.ceil((dose[trial.dose] * share) / total)
  const queue = inTurn(trial.mutant?.control).map((profile) => ({
    profile,
    // The profile of a fault is tried much longer than any other.
    left: commandsFor(profile.share) * (profile.name === trial.mutant?.control ? 24 : 1),
  }))
  let done = 0
  let unclear = 0
  let batch = 0
  await Promise.all(Array.from({ length: atOnce }, work))
  if (!trial.mutant) await completeCoverage()
  const end = place.ended()
  if (end) findings.push(end)
  const least = leastDone()
  if (!trial.mutant && !end && !trial.signal.aborted && least?.times === 0) {
    findings.push(`${least.operation} never succeeded: it is not tried`)
  }
  if (trial.signal.aborted && findings.length === 0 && !trial.mutant) {
    findings.push('the time was up before the dose was')
  }
  return {
    tried: `${done.toLocaleString('en')} commands`,
    findings,
    figures: [
      `${Math.round(done / ((performance.now() - began) / 1000))} commands a second`,
      `${commands.length} operations in ${profiles.length} profiles; done least often: ` +
        `${least?.operation} (${least?.times}); ${unclear} worlds left early, ` +
        `${place.client.refusals()} times 503`,
    ],
  }

  function isOver() {
    return (
      trial.signal.aborted ||
      place.ended() !== undefined ||
      (trial.mutant !== undefined && findings.length > 0)
    )
  }

  async function work() {
    for (let next = queue[0]; next && !isOver(); next = queue[0]) {
      if (next.left <= 0) {
        queue.shift()
        continue
      }
      const seed = trial.seed + batch
      batch += 1
      // Subtracted before the batch runs, so that the other workers do not run it as well.
      next.left -= next.profile.longest * 0.5 * worlds
      const found = await explore(next.profile, seed, isOver)
      if (!found) continue
      findings.push(found)
      // One finding of a profile is enough.
      next.left = 0
    }
  }

  /** The operation that has succeeded least often so far. */
  function leastDone() {
    const tried = commands.filter(({ operation }) => !needsServer.has(operation))
    const successes = tried.map(({ operation }) => {
      const answers = called.get(operation) ?? new Map<number, number>()
      return { operation, times: (answers.get(200) ?? 0) + (answers.get(201) ?? 0) }
    })
    return successes.toSorted((one, two) => one.times - two.times)[0]
  }

  /** Runs more batches for operations that have not succeeded yet, since some need much preparation. */
  async function completeCoverage() {
    for (let extra = 0; extra < mostExtraBatches; extra += 1) {
      const least = leastDone()
      if (!least || least.times > 0 || isOver()) return
      batch += 1
      const found = await explore(profileOf(least.operation), trial.seed + batch, isOver)
      if (found) findings.push(found)
    }
  }

  /** Runs some worlds of a profile; returns the first finding, with the steps that led to it. */
  async function explore({ name, longest, ...rest }: Profile, seed: number, isOver: () => boolean) {
    const drawn = fc.commands([stepsOf({ name, longest, ...rest })], {
      maxCommands: longest,
      size: 'max',
      disableReplayLog: true,
    })
    const property = fc.asyncProperty(drawn, async (steps) => {
      if (isOver()) return
      const world = await newWorld(place.client, place.db, called, isOver)
      try {
        await fc.asyncModelRun(() => ({ model: world, real: world }), steps)
        if (!isOver()) await readBack(world)
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error
        unclear += 1
      } finally {
        done += world.taken
      }
    })
    const details = await fc.check(property, {
      seed,
      numRuns: worlds,
      endOnFailure: trial.mutant !== undefined,
      interruptAfterTimeLimit: 120_000,
    })
    if (!details.failed || place.ended() !== undefined) return undefined
    const error = details.errorInstance
    const what = error instanceof Error ? error.message : String(error)
    const steps = [...(details.counterexample?.[0] ?? [])].join(', ')
    return `${name}, seed ${seed}: ${what}; after ${steps.slice(0, 1500)}`
  }
}

/** The profile of the fault first, then the others. */
function inTurn(first: string | undefined) {
  const named = profiles.filter(({ name }) => name === first)
  return [...named, ...profiles.filter((profile) => !named.includes(profile))]
}

/** The profile in which an operation has the largest share. */
function profileOf(operation: string): Profile {
  const shareIn = ({ parts }: Profile) => {
    const total = parts.reduce((sum, [weight]) => sum + weight, 0)
    const own = parts.map(([weight, some]) => {
      const times = some.filter((command) => command.operation === operation).length
      return (weight * times) / some.length
    })
    return own.reduce((sum, share) => sum + share, 0) / total
  }
  return profiles.reduce((best, each) => (shareIn(each) > shareIn(best) ? each : best))
}

/** Sets the first account, so that no later sign-up becomes it. */
const firstAccount = (db: pg.Pool) =>
  db.query(`update auth.instance set first_user_id = '00000000-0000-0000-0000-000000000001'`)

/** Every operation of the OpenAPI document must have a command, and every command an operation. */
async function listUncovered({ client }: Place) {
  const { body } = await client.send('GET', '/api/openapi.json', {})
  const methods = Object.values(body.paths as Record<string, object>)
  const published = methods.flatMap((path) =>
    Object.values(path as Record<string, { operationId: string }>).map(
      ({ operationId }) => operationId,
    ),
  )
  const tried = commands.map(({ operation }) => operation)
  return [
    ...published.filter((each) => !tried.includes(each)).map((each) => `no command for ${each}`),
    ...tried.filter((each) => !published.includes(each)).map((each) => `no operation ${each}`),
  ]
}
