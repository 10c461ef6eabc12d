import { vi } from 'vitest'
import type { Database } from '../src/platform/db/database.ts'

/**
 * The response of a request that conflicts with an uncommitted change: it has read the old state, waits for
 * the lock, and continues once the change is committed.
 */
export async function overtake<Answer>(
  db: Database,
  change: { text: string; values: unknown[] },
  request: () => Promise<Answer>,
) {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    await client.query(change)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const answer = request()
    await vi.waitFor(
      async () => {
        const waiting = await db.pool.query(
          'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
          [rows[0]?.pid],
        )
        if (waiting.rows.length === 0) throw new Error('No request waits for the lock')
      },
      { timeout: 3000, interval: 5 },
    )
    await client.query('commit')
    return await answer
  } finally {
    client.release(true)
  }
}
