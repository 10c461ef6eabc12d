// Runs the due jobs of one user at chosen times.
import { eventsOf } from '../../test/events.ts'
import { describe, expect, it, type Person } from '../../test/it.ts'
import type { Database } from '../platform/db/database.ts'
import solveNow from '../features/planner/plan-worker.ts'
import { runUserJobs } from './run-user-jobs.ts'

const morning = new Date('2026-03-02T08:00:00Z')
const day = 86_400_000
const later = (days: number) => new Date(morning.getTime() + days * day)

function look(
  db: Database,
  { id }: Person,
  now: () => Date,
  solve = async (problem: string) => solveNow(problem),
) {
  const called: string[] = []
  const enqueueDeliveries = async (userId: string, webhooks: string[]) =>
    void called.push(...webhooks.map((webhook) => `${userId}/${webhook}`))
  const enqueueRefreshes = async (userId: string, calendars: string[]) =>
    void called.push(...calendars.map((calendar) => `calendar ${userId}/${calendar}`))
  const enqueuePlans = async (userId: string, calendars: string[]) =>
    void called.push(...calendars.map((calendar) => `plan ${userId}/${calendar}`))
  const context = { db, now, solve, enqueueDeliveries, enqueueRefreshes, enqueuePlans }
  return runUserJobs(context, id).then(() => called)
}

const count = async (db: Database, { id }: Person, table: string, where = 'true') => {
  const { rows } = await db.pool.query<{ count: number }>(
    `select count(*) from ${table} where user_id = $1 and ${where}`,
    [id],
  )
  return rows[0]?.count
}

/** A user with automatic planning, one task to plan, and one that is due and not planned. */
async function automatic(ada: Person) {
  await ada.patch('/api/user', { timezone: 'UTC' })
  await ada.patch('/api/settings', { automatic: true, deadlineAlerts: true })
  const soon = new Date(morning.getTime() + 3_600_000).toISOString()
  await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 30 })
  await ada.post('/api/tasks', { title: 'By hand', autoSchedule: false, dueAt: soon })
}

describe('an automatic run', () => {
  it('commits with its alert, or not at all', async ({ ada, db }) => {
    await automatic(ada)
    let looks = 0
    const dies = () => {
      if ((looks += 1) > 1) throw new Error('killed after the run')
      return morning
    }

    await expect(look(db, ada, dies)).rejects.toThrow('killed')
    expect(await count(db, ada, 'planner_runs')).toBe(0)
    expect(await count(db, ada, 'time_blocks')).toBe(0)

    await look(db, ada, () => morning)
    expect(await count(db, ada, 'planner_runs')).toBe(1)
    expect(await count(db, ada, 'notifications', `type = 'at_risk_deadline'`)).toBe(1)

    await look(db, ada, () => morning)
    expect(await count(db, ada, 'planner_runs')).toBe(1)
    expect(await count(db, ada, 'notifications')).toBe(1)
  })

  it('is made once by two concurrent workers', async ({ ada, db }) => {
    await automatic(ada)
    await Promise.all([look(db, ada, () => morning), look(db, ada, () => morning)])
    const { body } = await ada.get('/api/time-blocks?from=2026-03-02&to=2026-03-10')
    expect(body.filter(({ title }: { title: string }) => title === 'Write')).toHaveLength(1)
    expect(await count(db, ada, 'notifications', `type = 'at_risk_deadline'`)).toBe(1)
  })
})

describe('an automatic run that changes little of the plan', () => {
  const blocksOf = async ({ id }: Person, db: Database) =>
    (
      await db.pool.query<{ id: string; title: string; status: string }>(
        'select * from time_blocks where user_id = $1 order by id',
        [id],
      )
    ).rows
  const minutes = (count: number) => new Date(morning.getTime() + count * 60_000)

  /** Twenty scheduled tasks. */
  async function withPlan(ada: Person, db: Database) {
    await ada.patch('/api/settings', { automatic: true })
    for (let number = 1; number <= 20; number += 1) {
      await ada.post('/api/tasks', { title: `Task ${number}`, estimateMinutes: 60 })
    }
    await look(db, ada, () => minutes(0))
  }
  const stale = (db: Database, { id }: Person) =>
    db.pool.query(`update user_state set stale_since = '2026-03-02T07:00Z' where user_id = $1`, [
      id,
    ])

  it('changes no block if nothing has changed', async ({ ada, db }) => {
    await withPlan(ada, db)
    const before = await blocksOf(ada, db)

    for (const count of [1, 2]) {
      await stale(db, ada)
      await look(db, ada, () => minutes(count))
    }

    expect(before).toHaveLength(20)
    expect(await blocksOf(ada, db)).toEqual(before)
    const [run] = (await ada.get('/api/planner/runs')).body.runs
    expect(run).toMatchObject({ state: 'applied', plannedAt: minutes(2).toISOString() })
    expect((await ada.get(`/api/planner/runs/${run.id}`)).body.blocks.unchanged).toHaveLength(20)
    expect((await eventsOf(db, ada, 0)).at(-1)).toMatchObject({
      type: 'plannerRun.applied',
      after: { createdBlockIds: [], cancelledBlockIds: [] },
    })
  })

  it('keeps the other blocks if one block is new', async ({ ada, db }) => {
    await withPlan(ada, db)
    const before = await blocksOf(ada, db)
    await ada.post('/api/tasks', { title: 'One more', estimateMinutes: 30 })
    await stale(db, ada)

    await look(db, ada, () => minutes(2))

    const known = new Set(before.map(({ id }) => id))
    const after = await blocksOf(ada, db)
    expect(after.filter(({ id }) => known.has(id))).toEqual(before)
    expect(after.filter(({ id }) => !known.has(id))).toMatchObject([
      { title: 'One more', status: 'scheduled' },
    ])
  })

  it('replaces a block whose task was renamed, and can be undone', async ({ ada, db }) => {
    await withPlan(ada, db)
    const before = await blocksOf(ada, db)
    const { body } = await ada.get('/api/tasks?limit=1')
    const [{ id }] = body.data
    await ada.patch(`/api/tasks/${id}`, { title: 'Another title' })
    await stale(db, ada)

    await look(db, ada, () => minutes(2))

    const after = await blocksOf(ada, db)
    // The block of the task, and blocks whose reason names the task.
    const replaced = after.length - before.length
    expect(replaced).toBeGreaterThanOrEqual(1)
    expect(after.filter(({ title }) => title === 'Another title')).toHaveLength(1)

    const [run] = (await ada.get('/api/planner/runs')).body.runs
    expect((await ada.post(`/api/planner/runs/${run.id}/undo`)).body).toEqual({
      ok: true,
      restored: replaced,
      cancelled: replaced,
      skipped: 0,
    })
  })

  it('is repeated if a block that it would keep is dragged meanwhile', async ({ ada, db }) => {
    await withPlan(ada, db)
    const { body: blocks } = await ada.get('/api/time-blocks?from=2026-03-02&to=2026-03-10')
    const [block] = blocks
    await stale(db, ada)
    let plans = 0
    const drag = async (problem: string) => {
      plans += 1
      if (plans === 1) {
        const changes = { startAt: '2026-03-09T12:00:00Z', endAt: '2026-03-09T13:00:00Z' }
        await ada.patch(`/api/time-blocks/${block.id}`, changes)
      }
      return solveNow(problem)
    }

    await look(db, ada, () => minutes(2), drag)

    expect(plans).toBeGreaterThan(1)
    expect((await ada.get(`/api/time-blocks/${block.id}`)).body).toMatchObject({
      source: 'manual',
      status: 'scheduled',
    })
  })
})

describe('a notification', () => {
  it('is not written automatically, even in a week with a deadline, unless it is enabled', async ({
    ada,
    db,
  }) => {
    await automatic(ada)
    await ada.patch('/api/settings', { deadlineAlerts: false })

    for (const days of [0, 0.5, 1, 2, 7]) await look(db, ada, () => later(days))

    expect(await count(db, ada, 'planner_runs')).toBeGreaterThan(0)
    expect(await count(db, ada, 'notifications')).toBe(0)
  })

  it('is written each day as a summary for a user who has set its hour', async ({ ada, db }) => {
    await ada.patch('/api/settings', { morningSummaryAt: '06:30' })

    for (const days of [0, 0.5, 1]) await look(db, ada, () => later(days))

    expect(await count(db, ada, 'notifications', `type = 'morning_summary'`)).toBe(2)
  })
})

describe('retention', () => {
  it('removes data at its retention age, and not before', async ({ ada, db }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: 'https://example.com/' })
    await ada.post('/api/labels', { name: 'home' }, { 'idempotency-key': 'once' })
    await ada.post('/api/planner')
    await db.pool.query(
      `insert into notifications (user_id, id, type, title, body, read, metadata, created_at)
       select $1, gen_random_uuid(), 'morning_summary', '', '', true, '{}', $2
         from generate_series(1, 51)`,
      [ada.id, morning],
    )
    await db.pool.query(
      `insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, duration_ms)
       values ($1, gen_random_uuid(), $2, 1, 1, 'label.created', 1, now(), 5)`,
      [ada.id, webhook.id],
    )
    const tables = {
      idempotency_keys: ['created_at', 3],
      webhook_deliveries: ['at', 30],
      planner_runs: ['created_at', 90],
      events: ['at', 90],
    } as const
    for (const [table, [made]] of Object.entries(tables)) {
      await db.pool.query(`update ${table} set ${made} = $2 where user_id = $1`, [ada.id, morning])
    }

    for (const days of [2, 4, 29, 32, 89, 92]) {
      await look(db, ada, () => later(days))
      for (const [table, [, kept]] of Object.entries(tables)) {
        const left = await count(db, ada, table)
        expect({ table, days, isThere: left !== 0 }).toEqual({ table, days, isThere: days < kept })
      }
      const notes = await count(db, ada, 'notifications')
      expect({ days, notes }).toEqual({ days, notes: days < 30 ? 51 : 50 })
    }
  })

  it('keeps every unread notification, and the 50 most recent of all', async ({ ada, db }) => {
    await ada.get('/api/settings') // creates the row in user_state
    await db.pool.query(
      `insert into notifications (user_id, id, type, title, body, read, metadata, created_at)
       select $1, gen_random_uuid(), 'morning_summary', number::text, '', number > 3, '{}',
              $2::timestamptz + number * interval '1 minute'
         from generate_series(1, 60) number`,
      [ada.id, morning],
    )

    await look(db, ada, () => later(365))

    const { rows } = await db.pool.query<{ title: string }>(
      'select title from notifications where user_id = $1 order by created_at',
      [ada.id],
    )
    const kept = [1, 2, 3, ...Array.from({ length: 50 }, (_, i) => i + 11)].map(String)
    expect(rows.map(({ title }) => title)).toEqual(kept)
  })

  it('keeps archived tasks and cancelled blocks until a planner run', async ({ ada, db }) => {
    const { body: archived } = await ada.post('/api/tasks', { title: 'Old', status: 'archived' })
    const { body: task } = await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 30 })
    await ada.post('/api/planner')
    await ada.post('/api/planner')
    const cancelled = `status = 'cancelled'`

    for (const days of [31, 62, 365]) await look(db, ada, () => later(days))

    expect(await ada.get(`/api/tasks/${archived.id}`)).toMatchObject({ status: 200 })
    expect(await count(db, ada, 'time_blocks', cancelled)).toBe(1)

    await ada.patch(`/api/tasks/${task.id}`, { status: 'completed' })
    await ada.patch('/api/settings', { automatic: true })
    await look(db, ada, () => later(366))

    expect(await ada.get(`/api/tasks/${archived.id}`)).toMatchObject({ status: 404 })
    expect(await count(db, ada, 'time_blocks', cancelled)).toBe(0)
  })
})

describe('a calendar', () => {
  it('is fetched when it is due, and again only after its lease has ended', async ({ ada, db }) => {
    const start = Date.parse('2026-03-02T08:00:00Z')
    let time = start
    const now = () => new Date(time)
    const { body: calendar } = await ada.post('/api/calendars', {
      url: 'https://example.com/a.ics',
    })
    await db.pool.query('update calendars set next_fetch_at = $2 where user_id = $1', [
      ada.id,
      now(),
    ])
    const dueAt = async () =>
      (await db.pool.query('select due_at from user_state where user_id = $1', [ada.id])).rows[0]
        .due_at

    expect(await look(db, ada, now)).toEqual([`calendar ${ada.id}/${calendar.id}`])
    expect(await dueAt()).toEqual(new Date(start + 120_000))
    expect(await look(db, ada, now)).toEqual([])
    time = start + 120_000
    expect(await look(db, ada, now)).toEqual([`calendar ${ada.id}/${calendar.id}`])
  })

  it('that is postponed while this job runs is due at the postponed time', async ({ ada, db }) => {
    await ada.post('/api/calendars', { url: 'https://example.com/a.ics' })
    const soon = new Date(morning.getTime() + 1500)
    const postpone = async () =>
      void (await db.pool.query(
        `with calendar as (update calendars set next_fetch_at = $2 where user_id = $1)
         update user_state set due_at = $2 where user_id = $1`,
        [ada.id, soon],
      ))
    const solve = async (problem: string) => solveNow(problem)
    const nothing = async () => {}
    const context = {
      db,
      now: () => morning,
      solve,
      enqueueDeliveries: nothing,
      enqueuePlans: nothing,
    }
    await runUserJobs({ ...context, enqueueRefreshes: postpone }, ada.id)

    const { rows } = await db.pool.query('select due_at from user_state where user_id = $1', [
      ada.id,
    ])
    expect(rows).toEqual([{ due_at: soon }])
  })
})
