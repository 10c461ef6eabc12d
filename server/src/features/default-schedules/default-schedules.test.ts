import { becameStale, lastEvent } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const windows = [{ day: [1], start: '09:00', end: '10:00' }]
const newPreference = async (person: Person) =>
  (await person.post('/api/schedule-preferences', { name: 'Early', windows })).body.id as string
const newPlace = async (person: Person, path: string) =>
  (await person.post(path, { name: 'Home' })).body.id as string

describe.for([
  ['spaces', 'spaceId'],
  ['projects', 'projectId'],
] as const)('PUT /api/%s/{id}/default-schedule', ([kind, idName]) => {
  const listed = async (person: Person) => (await person.get('/api/default-schedules')).body[kind]

  it('200: sets, replaces and clears it', async ({ ada }) => {
    const [early, late] = [await newPreference(ada), await newPreference(ada)]
    const id = await newPlace(ada, `/api/${kind}`)
    const path = `/api/${kind}/${id}/default-schedule`
    expect(await listed(ada)).toEqual([])

    for (const schedulePreferenceId of [early, late]) {
      expect(await ada.put(path, { schedulePreferenceId })).toEqual({
        status: 200,
        body: { schedulePreferenceId },
      })
      expect(await listed(ada)).toEqual([{ [idName]: id, schedulePreferenceId }])
    }

    expect(await ada.put(path, { schedulePreferenceId: null })).toEqual({
      status: 200,
      body: { schedulePreferenceId: null },
    })
    expect(await listed(ada)).toEqual([])
  })

  it('200: takes an id in upper case, and answers in lower case', async ({ ada }) => {
    const early = await newPreference(ada)
    const path = `/api/${kind}/${await newPlace(ada, `/api/${kind}`)}/default-schedule`

    expect(await ada.put(path, { schedulePreferenceId: early.toUpperCase() })).toEqual({
      status: 200,
      body: { schedulePreferenceId: early },
    })
  })

  it('400: is missing, of another type, unknown, malformed or another user’s', async ({
    ada,
    grace,
  }) => {
    const path = `/api/${kind}/${await newPlace(ada, `/api/${kind}`)}/default-schedule`
    const field = 'schedulePreferenceId'

    for (const schedulePreferenceId of [unknownId, 'no-id', await newPreference(grace)]) {
      expect(await ada.put(path, { schedulePreferenceId })).toEqual({
        status: 400,
        body: { error: `${field} not found`, field },
      })
    }
    for (const body of [{}, { schedulePreferenceId: 5 }]) {
      expect(await ada.put(path, body)).toMatchObject({
        status: 400,
        body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
      })
    }
  })

  it('404: is of a record that does not exist or belongs to another user', async ({
    ada,
    grace,
  }) => {
    for (const id of [unknownId, 'no-id', await newPlace(grace, `/api/${kind}`)]) {
      const answer = await ada.put(`/api/${kind}/${id}/default-schedule`, {
        schedulePreferenceId: null,
      })
      expect(answer.status).toBe(404)
    }
    expect(await listed(grace)).toEqual([])
  })

  it('makes the plan stale, but only if it changes', async ({ ada, db }) => {
    const schedulePreferenceId = await newPreference(ada)
    const path = `/api/${kind}/${await newPlace(ada, `/api/${kind}`)}/default-schedule`
    await becameStale(db, ada)

    await ada.put(path, { schedulePreferenceId })

    expect(await becameStale(db, ada)).toBe(true)
    const events = await lastEvent(db, ada)
    await ada.put(path, { schedulePreferenceId })
    expect(await becameStale(db, ada)).toBe(false)
    expect(await lastEvent(db, ada)).toBe(events)
  })

  it('is reverted like other changes', async ({ ada }) => {
    const schedulePreferenceId = await newPreference(ada)
    const id = await newPlace(ada, `/api/${kind}`)
    await ada.put(`/api/${kind}/${id}/default-schedule`, { schedulePreferenceId })
    const { events } = (await ada.get(`/api/history?recordId=${id}`)).body

    expect((await ada.post(`/api/history/${events[0].id}/revert`)).status).toBe(200)

    expect(await listed(ada)).toEqual([])
  })
})
