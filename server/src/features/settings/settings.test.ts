import { onTestFinished } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import { becameStale, changesOf, lastEvent } from '../../../test/events.ts'
import {
  describe,
  expect,
  it,
  newPerson,
  type Person,
  signUp,
  testApp,
  unknownId,
} from '../../../test/it.ts'
import { migrationsBefore } from '../../../test/migrations-before.ts'
import { overtake } from '../../../test/overtake.ts'
import { connect } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { newId } from '../../platform/db/new-id.ts'

const defaults = {
  automatic: false,
  quietHours: null,
  dailyRunAt: '05:00',
  morningSummaryAt: null,
  deadlineAlerts: false,
  missedBlocks: 'reschedule',
  assumedMinutes: null,
  schedulePreferenceId: null,
  planning: {
    lunch: null,
    breaks: null,
    dailyLimitMinutes: null,
    keepFreePercent: 0,
    bufferMinutes: 0,
    focusHours: null,
    deepWorkUntil: null,
  },
}

const invalid = (field: string) => ({
  status: 400,
  body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
})

describe('GET /api/settings', () => {
  it('200: everything automatic is off by default', async ({ ada }) => {
    expect(await ada.get('/api/settings')).toEqual({ status: 200, body: defaults })
  })

  it('200: an account has a row of settings from its creation', async ({ app, db }) => {
    const ada = await signUp(app)

    const { rows } = await db.pool.query('select from user_settings where user_id = $1', [ada.id])

    expect(rows).toHaveLength(1)
    expect((await ada.get('/api/settings')).body).toEqual(defaults)
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

describe('settings that are changed at the same time', () => {
  it('200: all changes are kept, and each event begins where the previous one ended', async ({
    ada,
    db,
  }) => {
    const changes = [
      { automatic: true },
      { assumedMinutes: 30 },
      { quietHours: { from: '22:00', to: '07:00' } },
      { planning: { bufferMinutes: 5 } },
      { planning: { keepFreePercent: 10 } },
      { automatic: true, deadlineAlerts: true },
    ]

    const answers = await Promise.all(changes.map((each) => ada.patch('/api/settings', each)))

    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    const after = {
      ...defaults,
      automatic: true,
      quietHours: { from: '22:00', to: '07:00' },
      deadlineAlerts: true,
      assumedMinutes: 30,
      planning: { ...defaults.planning, bufferMinutes: 5, keepFreePercent: 10 },
    }
    expect((await ada.get('/api/settings')).body).toEqual(after)
    const events = await changesOf(db, ada)
    expect(events.map(([, before]) => before)).toEqual([
      defaults,
      ...events.slice(0, -1).map(([, , state]) => state),
    ])
    expect(events.at(-1)?.[2]).toEqual(after)
  })

  it.for([
    ['update user_state set automatic = true where user_id = $1', { automatic: true }],
    ['update user_settings set assumed_minutes = 30 where user_id = $1', { assumedMinutes: 30 }],
  ] as const)(
    '200: after a concurrent “%s”, the same change appends no event',
    async ([text, change], { ada, db }) => {
      await ada.patch('/api/settings', { dailyRunAt: '06:00' })
      const before = await lastEvent(db, ada)

      const answer = await overtake(db, { text, values: [ada.id] }, () =>
        ada.patch('/api/settings', change),
      )

      expect(answer).toEqual({ status: 200, body: { ...defaults, dailyRunAt: '06:00', ...change } })
      expect(await lastEvent(db, ada)).toBe(before)
    },
  )
})

describe('the settings of the plan', () => {
  const lunch = { from: '11:30', to: '14:00', minutes: 45 }

  it('200: changes every setting', async ({ ada }) => {
    const changes = {
      missedBlocks: 'assume-done',
      assumedMinutes: 30,
      planning: {
        lunch,
        breaks: { afterMinutes: 45, minutes: 10 },
        dailyLimitMinutes: 360,
        keepFreePercent: 50,
        bufferMinutes: 60,
        focusHours: { from: '09:00', to: '12:00' },
        deepWorkUntil: '15:00',
      },
    }

    expect(await ada.patch('/api/settings', changes)).toEqual({
      status: 200,
      body: { ...defaults, ...changes },
    })
    expect((await ada.get('/api/settings')).body).toEqual({ ...defaults, ...changes })
  })

  it('200: planning is merged key by key', async ({ ada }) => {
    await ada.patch('/api/settings', { planning: { lunch, bufferMinutes: 5 } })

    const { body } = await ada.patch('/api/settings', {
      planning: { lunch: null, dailyLimitMinutes: 300 },
    })

    const planning = { ...defaults.planning, bufferMinutes: 5, dailyLimitMinutes: 300 }
    expect(body).toEqual({ ...defaults, planning })
  })

  it('200: a change can be reverted', async ({ ada, db }) => {
    await ada.patch('/api/settings', { planning: { lunch }, assumedMinutes: 15 })
    await ada.patch('/api/settings', { planning: { lunch: null }, missedBlocks: 'assume-done' })

    const seq = await lastEvent(db, ada)
    expect(await ada.post(`/api/history/${seq}-1/revert`)).toMatchObject({ status: 200 })

    expect((await ada.get('/api/settings')).body).toEqual({
      ...defaults,
      assumedMinutes: 15,
      planning: { ...defaults.planning, lunch },
    })
  })

  it('200: unchanged values append no event', async ({ ada, db }) => {
    await ada.patch('/api/settings', { planning: { bufferMinutes: 5 } })
    const before = await lastEvent(db, ada)

    await ada.patch('/api/settings', { planning: { bufferMinutes: 5, keepFreePercent: 0 } })
    await ada.patch('/api/settings', { missedBlocks: 'reschedule', planning: {} })

    expect(await lastEvent(db, ada)).toBe(before)
  })

  it.for([
    [{ missedBlocks: 'assume-done' }, true],
    [{ assumedMinutes: 30 }, true],
    [{ planning: { lunch } }, true],
    [{ dailyRunAt: '06:00' }, false],
  ] as const)('200: %o makes the plan stale: %s', async ([changes, isStale], { ada, db }) => {
    await ada.get('/api/settings')
    await becameStale(db, ada)

    await ada.patch('/api/settings', changes)

    expect(await becameStale(db, ada)).toBe(isStale)
  })

  it('200: the preference of the account; 400: if it is not mine', async ({ ada, grace }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const newPreference = async (person: Person) =>
      (await person.post('/api/schedule-preferences', { name: 'Early', windows })).body.id
    const schedulePreferenceId = await newPreference(ada)

    expect(await ada.patch('/api/settings', { schedulePreferenceId })).toEqual({
      status: 200,
      body: { ...defaults, schedulePreferenceId },
    })
    for (const other of [unknownId, 'no-id', await newPreference(grace)]) {
      const given = { schedulePreferenceId: other, automatic: true }
      expect(await ada.patch('/api/settings', given)).toEqual({
        status: 400,
        body: { error: 'schedulePreferenceId not found', field: 'schedulePreferenceId' },
      })
    }
    expect((await ada.get('/api/settings')).body).toEqual({ ...defaults, schedulePreferenceId })
    expect((await ada.patch('/api/settings', { schedulePreferenceId: null })).body).toEqual(
      defaults,
    )
  })

  it.for([
    ['missedBlocks', { missedBlocks: 'forget' }],
    ['missedBlocks', { missedBlocks: null }],
    ['assumedMinutes', { assumedMinutes: 4 }],
    ['assumedMinutes', { assumedMinutes: 481 }],
    ['assumedMinutes', { assumedMinutes: 7.5 }],
    ['schedulePreferenceId', { schedulePreferenceId: 1 }],
    ['planning', { planning: null }],
    ['planning.lunch.to', { planning: { lunch: { from: '14:00', to: '12:00', minutes: 30 } } }],
    ['planning.lunch.minutes', { planning: { lunch: { ...lunch, minutes: 151 } } }],
    ['planning.lunch.minutes', { planning: { lunch: { ...lunch, minutes: 4 } } }],
    ['planning.lunch.from', { planning: { lunch: { ...lunch, from: '25:00' } } }],
    ['planning.breaks.minutes', { planning: { breaks: { afterMinutes: 45, minutes: 0 } } }],
    ['planning.breaks.afterMinutes', { planning: { breaks: { afterMinutes: 481, minutes: 5 } } }],
    ['planning.dailyLimitMinutes', { planning: { dailyLimitMinutes: 1441 } }],
    ['planning.keepFreePercent', { planning: { keepFreePercent: 51 } }],
    ['planning.keepFreePercent', { planning: { keepFreePercent: null } }],
    ['planning.bufferMinutes', { planning: { bufferMinutes: 61 } }],
    ['planning.focusHours.to', { planning: { focusHours: { from: '12:00', to: '12:00' } } }],
    ['planning.deepWorkUntil', { planning: { deepWorkUntil: 'noon' } }],
  ] as const)('400: %s in %o', async ([field, changes], { ada }) => {
    expect(await ada.patch('/api/settings', changes)).toEqual(invalid(field))
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
      'select user_id, summary_at, deadline_alerts from user_settings order by summary_at nulls first',
    )
    expect(rows).toEqual([
      { user_id: asBefore, summary_at: null, deadline_alerts: false },
      { user_id: chosen, summary_at: '06:30:00', deadline_alerts: false },
    ])
  })
})

describe('the migration to a table of settings', () => {
  it('keeps the settings of every user, and `automatic` in `user_state`', async ({ url, now }) => {
    const database = await createDatabase(url)
    onTestFinished(database.drop)
    await migrate(database.url, await migrationsBefore('0029'))
    const db = connect(database.url)
    onTestFinished(() => db.end())
    const app = await testApp(db, () => now)
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const preference = newId()
    await db.pool.query(
      `insert into schedule_preferences (user_id, id, name, windows)
       values ($1, $2, 'Early', '[{"day": [1], "start": "09:00", "end": "10:00"}]')`,
      [ada.id, preference],
    )
    const lunch = { from: '11:30', to: '14:00', minutes: 45 }
    await db.pool.query(
      `insert into agendas (user_id, last_event, automatic, quiet_from, quiet_to, daily_run_at, summary_at,
                            deadline_alerts, missed_blocks, assumed_minutes, schedule_preference_id, planning)
       values ($1, 7, true, '22:00', '07:00', '06:00', '06:30', true, 'assume-done', 30, $2, $3)`,
      [ada.id, preference, { lunch }],
    )
    await db.pool.query('insert into agendas (user_id) values ($1)', [grace.id])

    await migrate(database.url)

    expect((await ada.get('/api/settings')).body).toEqual({
      automatic: true,
      quietHours: { from: '22:00', to: '07:00' },
      dailyRunAt: '06:00',
      morningSummaryAt: '06:30',
      deadlineAlerts: true,
      missedBlocks: 'assume-done',
      assumedMinutes: 30,
      schedulePreferenceId: preference,
      planning: { ...defaults.planning, lunch },
    })
    expect((await grace.get('/api/settings')).body).toEqual(defaults)
    expect(await lastEvent(db, ada)).toBe(7)
    await ada.delete(`/api/schedule-preferences/${preference}`)
    expect((await ada.get('/api/settings')).body).toMatchObject({ schedulePreferenceId: null })
  })
})
