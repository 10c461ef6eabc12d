import type pg from 'pg'
import { describe, expect, it } from '../../test/it.ts'
import { statements } from '../platform/db/statement.ts'
import { leaseDueUsers } from './user-jobs.queries.ts'

const now = new Date('2026-03-02T08:00:00Z')
const until = new Date('2026-03-02T08:00:20Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const always = { after: new Date(0), now }

const addDueUsers = (db: { pool: pg.Pool }, count: number, name: string) =>
  db.pool.query(
    `with added as (
       insert into users (id, email, display_name)
       select gen_random_uuid(), n || '@${name}.example.com', '${name}' from generate_series(1, ${count}) n
       returning id
     )
     insert into user_state (user_id, due_at) select id, $1 from added`,
    [minutesAgo(1)],
  )

describe('leaseDueUsers', () => {
  it('leases each due user once, however many relays run at the same time', async ({ db }) => {
    await addDueUsers(db, 1000, 'many')
    const rounds = await Promise.all(
      Array.from({ length: 8 }, () => leaseDueUsers(db, always, until, 250)),
    )

    const leased = rounds.flatMap(({ users }) => users)
    expect(leased).toHaveLength(1000)
    expect(new Set(leased).size).toBe(1000)
    expect(await leaseDueUsers(db, always, until, 250)).toEqual({ users: [], hasMore: false })
  })

  it('does not wait for a user whose row is locked', async ({ db }) => {
    await addDueUsers(db, 2, 'locked')
    await db.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ user_id: string }>(
        `select user_id from user_state where due_at < '${now.toISOString()}' limit 1 for update`,
      )
      const { users } = await leaseDueUsers(db, always, until, 250)
      expect(users).toHaveLength(1)
      expect(users).not.toContain(rows[0]?.user_id)
    })
    expect((await leaseDueUsers(db, always, until, 250)).users).toHaveLength(1)
  })

  it('looks only at the given span of due times', async ({ db }) => {
    await addDueUsers(db, 1, 'late')
    const recent = { after: minutesAgo(0.5), now }
    expect((await leaseDueUsers(db, recent, until, 250)).users).toHaveLength(0)
    expect((await leaseDueUsers(db, always, until, 250)).users).toHaveLength(1)
  })

  it('reads a few pages under an old snapshot, after thousands of leases', async ({ db }) => {
    await addDueUsers(db, 200, 'cycles')
    const old = await db.pool.connect()
    const client = await db.pool.connect()
    try {
      await old.query('begin isolation level repeatable read')
      await old.query('select count(*) from user_state')
      for (let cycle = 0; cycle < 100; cycle += 1) {
        await client.query(
          `update user_state set due_at = $1::timestamptz - $2 * interval '1 second' where due_at is not null`,
          [minutesAgo(2), 100 - cycle],
        )
      }
      await client.query('update user_state set due_at = $1 where due_at is not null', [until])
      const read = async (after: Date) => {
        await client.query(`prepare lease as ${statements.get('worker.lease-due-users')}`)
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          `explain (analyze, buffers, format json)
           execute lease ('${until.toISOString()}', '${after.toISOString()}', '${now.toISOString()}', 250)`,
        )
        await client.query('deallocate lease')
        const plan = rows[0]!['QUERY PLAN'][0].Plan
        return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
      }

      expect(await read(minutesAgo(1))).toBeLessThan(10)
      expect(await read(new Date(0))).toBeGreaterThan(100)
    } finally {
      await old.query('rollback')
      old.release()
      client.release()
    }
  })
})
