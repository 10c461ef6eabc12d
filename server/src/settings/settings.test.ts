import { onTestFinished } from 'vitest'
import { createDatabase } from '../../test/databases.ts'
import { describe, expect, it } from '../../test/it.ts'
import { migrationsBefore } from '../../test/migrations-before.ts'
import { connect } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { newId } from '../db/new-id.ts'

const defaults = {
  automatic: false,
  quietHours: null,
  dailyRunAt: '05:00',
  morningSummaryAt: null,
  deadlineAlerts: false,
}

describe('GET /api/settings', () => {
  it('200: everything automatic is off by default', async ({ ada }) => {
    expect(await ada.get('/api/settings')).toEqual({ status: 200, body: defaults })
  })
})

describe('PATCH /api/settings', () => {
  it('200: changes what was sent and keeps the rest', async ({ ada }) => {
    await ada.patch('/api/settings', { morningSummaryAt: '06:30' })

    const changed = { ...defaults, morningSummaryAt: '06:30', deadlineAlerts: true }
    expect(await ada.patch('/api/settings', { deadlineAlerts: true })).toEqual({
      status: 200,
      body: changed,
    })
    expect((await ada.get('/api/settings')).body).toEqual(changed)
  })

  it.for([null, 'true', 1])('400: deadlineAlerts %o', async (deadlineAlerts, { ada }) => {
    expect(await ada.patch('/api/settings', { deadlineAlerts })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { deadlineAlerts: [expect.any(String)] } },
    })
  })
})

describe('the migration to notifications on request', () => {
  it('switches off summaries at the old default, and keeps an hour that was chosen', async ({
    url,
  }) => {
    const database = await createDatabase(url)
    onTestFinished(database.drop)
    await migrate(database.url, await migrationsBefore('0007'))
    const db = connect(database.url)
    onTestFinished(() => db.end())
    const [asBefore, chosen] = [newId(), newId()]
    for (const id of [asBefore, chosen]) {
      const person = [id, `${id}@example.com`]
      await db.pool.query(
        `insert into users (id, email, display_name) values ($1, $2, 'Someone')`,
        person,
      )
      await db.pool.query('insert into agendas (user_id) values ($1)', [id])
    }
    await db.pool.query(`update agendas set summary_at = '06:30' where user_id = $1`, [chosen])

    await migrate(database.url)

    const { rows } = await db.pool.query(
      'select user_id, summary_at, deadline_alerts from agendas order by summary_at nulls first',
    )
    expect(rows).toEqual([
      { user_id: asBefore, summary_at: null, deadline_alerts: false },
      { user_id: chosen, summary_at: '06:30:00', deadline_alerts: false },
    ])
  })
})
