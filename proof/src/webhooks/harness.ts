// Thousands of deliveries to a receiver that fails three times in ten: all arrive in order, each with a
// single id.
import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver, wrongDeliveries } from '../engine/receiver.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { newPerson } from '../kit/people.ts'
import { randomFrom } from '../kit/random.ts'
import { startServer } from '../kit/server.ts'

const failing = 0.3
const endpoints = 50
const doses = { short: 300, long: 10_000 }
/** The longest time without a new delivery. */
const patienceMs = 20_000
const settings = {
  WORKER_PORT: '0',
  WEBHOOK_PRIVATE_ADDRESSES: 'allow',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 30 }, () => '0.05').join(','),
}

export const harness: Harness = {
  name: 'webhooks',
  prove,
  mostTogether: 2,
  mutants: faultsOf('webhooks'),
  atOnce: 2,
  mutantsInShort: 1,
}

async function prove({ dose, seed, postgres, mutant, signal }: Trial) {
  // A race condition that was planted shows in only some of the deliveries.
  const deliveries = doses[dose] * (mutant ? 3 : 1)
  const each = deliveries / endpoints
  const database = await newDatabase(postgres, { isHasty: true })
  const db = openPool(database.url, 2)
  const options = { databaseUrl: database.url, settings, ...(mutant && { mutant }) }
  const start = (program: string) => startServer(options, `server/bin/${program}.ts`)
  const servers = await Promise.all([start('api'), start('worker'), start('worker')])
  const receiver = await startReceiver({ random: randomFrom(seed), failing })
  try {
    const people = []
    for (let number = 0; number < endpoints; number += 1) {
      const path = `/${number}`
      const person = { ...(await newPerson(db)), path }
      const call = callerOf(servers[0].origin, person.key)
      await call('/api/webhooks', { url: receiver.urlOf(path), types: ['label'] })
      people.push({ ...person, call })
    }
    const began = performance.now()
    const wholeLoad = people.map(async ({ call }) => {
      for (let number = 0; number < each; number += 1) {
        await call('/api/labels', { name: `label ${number}` })
      }
    })
    await Promise.all(wholeLoad)
    const loadedAt = performance.now()
    const isStuck = await hasStalled()
    const seconds = (performance.now() - began) / 1000
    const findings = isStuck ? ['the deliveries have come to a halt'] : []
    for (const { id, path } of people) {
      const { rows } = await db.query<{ id: string }>(
        `select seq || '-' || part as id from events
          where user_id = $1 and type like 'label.%' order by seq, part`,
        [id],
      )
      const events = rows.map((row) => row.id)
      findings.push(...wrongDeliveries(path, receiver.attemptsAt(path), events))
    }
    const { attempts, accepted } = receiver.count()
    const failed = ((attempts - accepted) / attempts) * 100
    return {
      tried: `${deliveries} deliveries`,
      findings: findings.map((finding) => `${finding} (--seed ${seed})`),
      figures: [
        `${accepted} messages accepted in ${attempts} attempts (${failed.toFixed(1)} % failed) at ` +
          `${endpoints} webhooks in ${seconds.toFixed(0)} s, the last ` +
          `${((performance.now() - loadedAt) / 1000).toFixed(0)} s after the last change; none ` +
          'lost, all in order',
      ],
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()))
    receiver.close()
    await db.end()
    await database.drop()
  }

  /** True if deliveries stop before all have arrived. */
  async function hasStalled() {
    let last = { accepted: -1, at: performance.now() }
    while (await isBehind()) {
      const { accepted } = receiver.count()
      if (accepted > last.accepted) last = { accepted, at: performance.now() }
      if (performance.now() - last.at > patienceMs || signal.aborted) return true
      await sleep(100)
    }
    return false
  }

  async function isBehind() {
    const { rowCount } = await db.query(
      'select from webhooks join user_state using (user_id) where webhooks.seq < user_state.last_event limit 1',
    )
    return rowCount === 1
  }
}

const callerOf = (origin: string, key: string) => async (path: string, body: object) => {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}
