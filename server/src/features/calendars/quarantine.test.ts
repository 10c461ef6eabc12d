// A calendar that is too expensive to read or ended the service, and when a calendar that fails is read again.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Calendar } from '@daywright/contract'
import { prepareCalendarJobs } from '../../../test/calendar-jobs.ts'
import { describe, expect, it as base, type Person, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { makeReader, type Run } from './reader.ts'
import { type Refreshing, refreshCalendar } from './refresh-calendar.ts'
import { leaseDueCalendars } from './refresh.queries.ts'

const minute = 60_000
const hour = 60 * minute
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const contextOf = prepareCalendarJobs(now)

const event = (title: string) =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    `UID:${title}`,
    `SUMMARY:${title}`,
    'DTSTART:20260303T090000Z',
    'DTEND:20260303T100000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')

type Site = { url: string; body: string | Buffer; headers: Record<string, string>; status: number }

const it = base
  .extend('app', { scope: 'file' }, ({ db }) => testApp(db, now))
  .extend('site', async ({}, { onCleanup }) => {
    const site: Site = { url: '', body: event('Stand-up'), headers: {}, status: 200 }
    const server = createServer((_request, response) =>
      response.writeHead(site.status, site.headers).end(site.body),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    onCleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    return site
  })

async function subscribe(person: Person, { url }: Site) {
  time += 25 * hour
  const { status, body } = await person.post('/api/calendars', { url })
  expect(status).toBe(201)
  return body.id as string
}

const refresh = (db: Database, { id }: Person, calendarId: string, others?: Partial<Refreshing>) =>
  refreshCalendar({ ...contextOf(db), ...others }, id, calendarId)

async function stateOf(person: Person, id: string) {
  const calendar = Calendar.parse((await person.get(`/api/calendars/${id}`)).body)
  const { error, nextFetchAt, eventCount } = calendar
  return { error, eventCount, dueIn: nextFetchAt && nextFetchAt.getTime() - time }
}

const readerThat = (outcome: Awaited<ReturnType<Run>>) => makeReader(async () => outcome)
const dying = readerThat({ kind: 'died', reason: 'no memory' })
const died = 'The calendar takes too much memory to read'
const switchedOff =
  'This calendar is switched off, because it could not be read four times. Enter its address again to switch it on.'

const refusing = (refused: string) => readerThat({ kind: 'done', value: { refused }, parts: [] })

describe('a calendar that is too expensive to read', () => {
  it.for([
    ['died', dying, died],
    ['too-expensive', readerThat({ kind: 'too-expensive' }), 'The calendar takes too long to read'],
    ['too-large', refusing('too-large'), 'The file is larger than 50 MB'],
    ['too-many-steps', refusing('too-many-steps'), 'The calendar takes too long to read'],
  ] as const)(
    'is read again after 1, 6 and 24 hours, and then no more: %s',
    async ([, reader, error], { ada, db, site }) => {
      const id = await subscribe(ada, site)
      await refresh(db, ada, id)
      site.body = event('Changed')
      const found = []
      for (let attempt = 0; attempt < 4; attempt += 1) {
        await refresh(db, ada, id, { reader })
        found.push(await stateOf(ada, id))
        time += 24 * hour
      }

      expect(found).toEqual([
        { error, eventCount: 1, dueIn: hour },
        { error, eventCount: 1, dueIn: 6 * hour },
        { error, eventCount: 1, dueIn: 24 * hour },
        { error: `${error}. ${switchedOff}`, eventCount: 1, dueIn: null },
      ])
      expect(await leaseDueCalendars(db, ada.id, now(), now())).toEqual([])
    },
  )

  it('counts anew after a good reading', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    await refresh(db, ada, id, { reader: dying })
    await refresh(db, ada, id)
    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })

    site.body = event('Changed')
    await refresh(db, ada, id, { reader: dying })
    expect((await stateOf(ada, id)).dueIn).toBe(hour)
  })

  it('is not read earlier by a refresh, but with its address entered again', async ({
    ada,
    db,
    site,
  }) => {
    const id = await subscribe(ada, site)
    for (let attempt = 0; attempt < 4; attempt += 1) await refresh(db, ada, id, { reader: dying })
    time += 48 * hour
    expect((await ada.post(`/api/calendars/${id}/refresh`)).body.nextFetchAt).toBe(null)

    await ada.patch(`/api/calendars/${id}`, { url: `${site.url}?new` })
    expect(await stateOf(ada, id)).toMatchObject({ error: null, dueIn: 0 })
    await refresh(db, ada, id)
    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })
  })
})

describe('a calendar that was being read when the service died', () => {
  const begin = (db: Database, id: string, readBy: string) =>
    db.pool.query('update calendars set read_by = $2 where id = $1', [id, readBy])

  it('is not read again at once', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    await begin(db, id, 'another/1')
    await refresh(db, ada, id)

    expect(await stateOf(ada, id)).toEqual({
      error: 'The service stopped while it read this calendar',
      eventCount: 0,
      dueIn: hour,
    })
    await refresh(db, ada, id)
    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })
  })

  it('is read again at once if only the job was lost', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    await begin(db, id, 'test/1')
    await refresh(db, ada, id)

    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })
  })
})

describe('a calendar that is read when the service stops', () => {
  it('is due at once, and has not failed', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    await refresh(db, ada, id, { stopping: AbortSignal.abort() })

    expect(await stateOf(ada, id)).toEqual({ error: null, eventCount: 0, dueIn: 0 })
    await refresh(db, ada, id)
    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })
  })
})

describe('a refresh of a failing calendar', () => {
  it('has an effect once the usual interval is over', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    site.status = 500
    for (let attempt = 0; attempt < 3; attempt += 1) await refresh(db, ada, id)
    const ask = async () => {
      await ada.post(`/api/calendars/${id}/refresh`)
      return (await stateOf(ada, id)).dueIn
    }
    expect(await ask()).toBe(6 * hour)
    time += 14 * minute
    expect(await ask()).toBe(6 * hour - 14 * minute)
    time += 2 * minute
    expect(await ask()).toBe(0)
  })
})

describe('a clock that was set back', () => {
  it('lets a calendar be read at its usual times', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    await refresh(db, ada, id)
    time -= 24 * hour
    expect((await stateOf(ada, id)).dueIn).toBeGreaterThan(24 * hour)

    expect(await leaseDueCalendars(db, ada.id, now(), now())).toEqual([id])
    time += 24 * hour
    await refresh(db, ada, id)
    time -= 24 * hour
    await ada.post(`/api/calendars/${id}/refresh`)
    expect((await stateOf(ada, id)).dueIn).toBe(0)
  })
})

describe('a calendar that PostgreSQL cannot store', () => {
  it('says that it is too large, and is tried again later', async ({ ada, db, site }) => {
    await db.pool.query(`
      create function refuse_slow() returns trigger language plpgsql as $$
      begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
      create trigger refuse_slow before insert on calendar_events for each row execute function refuse_slow()`)
    const id = await subscribe(ada, site)
    await refresh(db, ada, id)
    await db.pool.query('drop function refuse_slow cascade')

    expect(await stateOf(ada, id)).toEqual({
      error: 'The calendar is larger than 10 MB',
      eventCount: 0,
      dueIn: hour / 4,
    })
  })
})

describe('a compressed calendar', () => {
  it('is read', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site)
    Object.assign(site, { body: gzipSync(site.body), headers: { 'content-encoding': 'gzip' } })
    await refresh(db, ada, id)

    expect(await stateOf(ada, id)).toMatchObject({ error: null, eventCount: 1 })
  })

  it.for([
    [gzipSync(Buffer.alloc(51_000_000, 65)), 'The file is larger than 50 MB', hour],
    [Buffer.from('not compressed'), 'The file is incomplete', hour / 4],
  ] as const)(
    'fails if it expands too much or is broken',
    async ([body, error, dueIn], { ada, db, site }) => {
      const id = await subscribe(ada, site)
      Object.assign(site, { body, headers: { 'content-encoding': 'gzip' } })
      await refresh(db, ada, id)

      expect(await stateOf(ada, id)).toEqual({ error, eventCount: 0, dueIn })
    },
  )
})
