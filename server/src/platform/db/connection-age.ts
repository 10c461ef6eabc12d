// When a server refuses to write, all connections that are open then are closed as soon as they are free: after a
// failover they may lead to a standby, while a new one leads to the primary.
import type pg from 'pg'

export function watchAge(pool: pg.Pool) {
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => void generations.set(client, generation))

  return {
    /** Makes all connections of now outdated. */
    outdate: () => void (generation += 1),

    /** A connection that is not outdated. */
    async connect() {
      for (;;) {
        const client = await pool.connect()
        if (generations.get(client) === generation) return client
        client.release(true)
      }
    },
  }
}
