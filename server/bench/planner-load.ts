// npm run bench -- planner-load: starts 60 concurrent planner runs of one user while 20 other users read. All runs,
// which the API executes one at a time, must succeed. Compares the median latency of the other users with and
// without the runs, alternating.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { plan, runs, traffic } from './planner-rush.ts'
import { seed } from './seed.ts'
import { startApi } from './start-api.ts'
import { newKey } from '../src/platform/auth/api-key-format.ts'
import { newId } from '../src/platform/db/new-id.ts'
import { withDatabase } from './with-database.ts'

const others = 20
const rounds = 3

await withDatabase(async (url) => {
  const world = await seed(url)
  const keys = await keysOf(url)
  const api = await startApi(url)
  try {
    await traffic(api.origin, keys, () => Promise.resolve([])) // warms up
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = await traffic(api.origin, keys, () => sleep(2000))
      const beside = await traffic(api.origin, keys, () =>
        plan(api.origin, world.writers[0]!.keys[0]!),
      )
      ratios.push(beside.median / alone.median)
      print(
        `alone ${alone.median.toFixed(1)} ms (${alone.count}), beside ${runs} runs ` +
          `${beside.median.toFixed(1)} ms (${beside.count}), runs took ${beside.tookMs.toFixed(0)} ms\n`,
      )
    }
    const sorted = ratios.toSorted((a, b) => a - b)
    print(`median of the others rises by ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)}×\n`)
  } finally {
    await api.stop()
  }
})

/** Creates a key for each of the other users, and returns the keys. */
async function keysOf(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select id from users where id not in (select user_id from api_keys) limit ${others}`,
  )
  const keys = []
  for (const { id } of rows) {
    const { key, prefix, hash } = newKey(id)
    await client.query(
      `insert into api_keys (user_id, id, name, prefix, hash, scopes)
       values ($1, $2, 'bench', $3, $4, '{read}')`,
      [id, newId(), prefix, hash],
    )
    keys.push(key)
  }
  await client.end()
  return keys
}

function print(text: string) {
  process.stdout.write(text)
}
