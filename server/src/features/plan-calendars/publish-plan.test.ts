// The plan in calendars at CalDAV servers: at real ones, and at a fake one for answers that real ones do not give.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createProgram,
  fileOf,
  isInstalled,
  password,
  serverNames,
  startCaldavServer,
  user as username,
} from '../../../../caldav/test/servers.ts'
import { prepareCalendarJobs } from '../../../test/calendar-jobs.ts'
import { describe, expect, it as anyone, signUp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { refreshCalendar } from '../calendars/refresh-calendar.ts'
import { publishPlan } from './publish-plan.ts'

/** A user with a session: an API key may not manage plan calendars. */
const base = anyone.extend('owner', ({ app }) => signUp(app))
type Person = Awaited<ReturnType<typeof signUp>>

const minute = 60_000
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const contextOf = prepareCalendarJobs(now)

/** Brings the calendar up to date; returns the methods of the requests that were sent. */
async function publish(db: Database, { id }: Person, calendarId: string) {
  time += 6 * minute
  const sent: string[] = []
  const context = contextOf(db)
  const request: typeof context.request = (url, options) => {
    sent.push(options.method)
    return context.request(url, options)
  }
  await publishPlan({ ...context, request }, id, calendarId)
  return sent
}

type Block = { id: string; title: string; startAt: string; endAt: string; source: string }

const range = 'from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z'
const blocksOf = async (person: Person) =>
  (await person.get(`/api/time-blocks?${range}`)).body as Block[]

const calendarOf = async (person: Person) => (await person.get('/api/plan-calendars')).body[0]

const account = { username, password }

async function addCalendar(person: Person, url: string, more: object = {}) {
  const { body, status } = await person.post('/api/plan-calendars', { url, ...account, ...more })
  expect(status).toBe(201)
  return body.id as string
}

async function addEvent(person: Person, title: string, hour: number) {
  const two = (value: number) => String(value).padStart(2, '0')
  const span = {
    startAt: `2026-03-03T${two(hour)}:00:00.000Z`,
    endAt: `2026-03-03T${two(hour + 1)}:00:00.000Z`,
  }
  const { body } = await person.post('/api/time-blocks', { type: 'event', title, ...span })
  return body.id as string
}

const valueOf = (file: string, name: string) =>
  new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(file.replaceAll(/\r?\n[ \t]/g, ''))?.[1]?.trim()

for (const name of serverNames) {
  const it = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startCaldavServer(name)
    onCleanup(server.stop)
    return server
  })

  describe.skipIf(!isInstalled(name))(`a plan at ${name}`, () => {
    it('is written, follows changes, and is not sent again if it is unchanged', async ({
      owner: ada,
      db,
      server,
    }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('One way')
      const theirs = `${url}theirs.ics`
      await program.put(theirs, fileOf('theirs', '20260303'))
      const task = (await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 60 })).body
      await ada.post('/api/planner')
      const dentist = await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url)

      expect(await publish(db, ada, id)).toEqual(['PUT', 'PUT'])
      expect(await calendarOf(ada)).toMatchObject({ eventCount: 2, error: null })
      const dentistUrl = `${url}${dentist}.ics`
      const file = await program.read(dentistUrl)
      expect(valueOf(file, 'SUMMARY')).toBe('Dentist')
      expect(valueOf(file, 'DTSTART')).toBe('20260303T150000Z')
      const [block] = (await blocksOf(ada)).filter(({ title }) => title === 'Write')
      const planned = await program.read(`${url}${block?.id}.ics`)
      expect(valueOf(planned, 'URL')).toBe(`https://plan.example.com/tasks/${task.id}`)

      expect(await publish(db, ada, id)).toEqual([])
      // A run replaces its blocks with new ones at the same times.
      await ada.post('/api/planner')
      expect(await publish(db, ada, id)).toEqual([])

      await ada.patch(`/api/time-blocks/${dentist}`, {
        startAt: '2026-03-04T15:00:00Z',
        endAt: '2026-03-04T16:00:00Z',
      })
      expect(await publish(db, ada, id)).toEqual(['PUT'])
      expect(valueOf(await program.read(dentistUrl), 'DTSTART')).toBe('20260304T150000Z')

      await ada.delete(`/api/time-blocks/${dentist}`)
      expect(await publish(db, ada, id)).toEqual(['DELETE'])
      await expect(program.read(dentistUrl)).rejects.toThrow('404')
      expect(await program.read(theirs)).toContain('Meeting theirs')
    })

    it('is written to a calendar that is created there first', async ({
      owner: ada,
      db,
      server,
    }) => {
      const url = `${server.home}created/`
      const dentist = await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url, { create: true, name: 'Plan of Ada' })
      expect(await publish(db, ada, id)).toEqual(['MKCALENDAR', 'PUT'])
      expect(await calendarOf(ada)).toMatchObject({ eventCount: 1, error: null })
      expect(await createProgram(server).read(`${url}${dentist}.ics`)).toContain('Dentist')

      await ada.delete(`/api/time-blocks/${dentist}`)
      expect(await publish(db, ada, id)).toEqual(['DELETE'])
    })

    it('reports why its calendar cannot be created, and tries again later', async ({
      owner: ada,
      db,
      server,
    }) => {
      const url = `${server.home}no/such/folder/`
      const id = await addCalendar(ada, url, { create: true })
      expect(await publish(db, ada, id)).toContain('MKCALENDAR')
      expect((await calendarOf(ada)).error).toMatch(/./)
      expect(await publish(db, ada, id)).toContain('MKCALENDAR')
    })

    it('keeps what another program has added to an event', async ({ owner: ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Alarms')
      const dentist = await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url)
      await publish(db, ada, id)
      const at = `${url}${dentist}.ics`
      const alarm =
        'BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Soon\r\nTRIGGER:-PT15M\r\nEND:VALARM'
      const file = await program.read(at)
      await program.put(at, file.replace('END:VEVENT', `${alarm}\r\nEND:VEVENT`))

      for (const title of ['Dentist, 2nd floor', 'Dentist, 3rd floor']) {
        await ada.patch(`/api/time-blocks/${dentist}`, { title })
        await publish(db, ada, id)
        const changed = await program.read(at)
        expect(changed).toContain('VALARM')
        expect(valueOf(changed, 'SUMMARY')).toBe(title.replace(',', '\\,'))
      }
    })

    it('moves a block whose event was moved there, and records it in the history', async ({
      owner: ada,
      db,
      server,
    }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Two way')
      await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 60 })
      await ada.post('/api/planner')
      const [block] = await blocksOf(ada)
      const id = await addCalendar(ada, url, { twoWay: true })
      await publish(db, ada, id)
      const at = `${url}${block?.id}.ics`
      const file = await program.read(at)
      const moved = file
        .replace(/DTSTART:.*/, 'DTSTART:20260305T130000Z')
        .replace(/DTEND:.*/, 'DTEND:20260305T140000Z')
      await program.put(at, moved)

      const sent = await publish(db, ada, id)

      const [after] = await blocksOf(ada)
      expect(after).toMatchObject({
        startAt: '2026-03-05T13:00:00.000Z',
        endAt: '2026-03-05T14:00:00.000Z',
        source: 'manual',
      })
      expect(sent).not.toContain('DELETE')
      const { events } = (await ada.get('/api/history')).body
      const [event] = events.filter(({ type }: { type: string }) => type === 'timeBlock.updated')
      expect(event.actor).toEqual({ kind: 'calendar' })
      expect(valueOf(await program.read(at), 'DTSTART')).toBe('20260305T130000Z')
      // Nothing has changed since.
      expect(await publish(db, ada, id)).toEqual(['REPORT'])
    })

    it('does not move a block whose event was only edited', async ({ owner: ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Edited')
      const id = await addCalendar(ada, url, { twoWay: true })
      const span = { startAt: '2026-03-03T09:00:27.512Z', endAt: '2026-03-03T10:00:27.512Z' }
      const { body: block } = await ada.post('/api/time-blocks', {
        type: 'event',
        title: 'Dentist',
        ...span,
      })
      await publish(db, ada, id)
      const at = `${url}${block.id}.ics`
      const file = await program.read(at)
      await program.put(at, file.replace('END:VEVENT', 'LOCATION:Library\r\nEND:VEVENT'))

      expect(await publish(db, ada, id)).not.toContain('PUT')

      expect((await blocksOf(ada))[0]).toMatchObject(span)
      expect(await program.read(at)).toContain('Library')
    })

    it('keeps the later of two moves', async ({ owner: ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Conflict')
      const id = await addCalendar(ada, url, { twoWay: true })
      const blocks = [
        await addEvent(ada, 'Earlier there', 9),
        await addEvent(ada, 'Later there', 11),
      ]
      await publish(db, ada, id)
      const stamps = ['20200101T000000Z', '20991231T000000Z']
      for (const [at, block] of blocks.entries()) {
        const object = `${url}${block}.ics`
        const file = (await program.read(object))
          .replace(/DTSTART:.*/, 'DTSTART:20260306T130000Z')
          .replace(/DTEND:.*/, 'DTEND:20260306T140000Z')
          .replaceAll(/(LAST-MODIFIED|DTSTAMP):.*/g, `$1:${stamps[at]}`)
        await program.put(object, file)
        await ada.patch(`/api/time-blocks/${block}`, {
          startAt: '2026-03-04T15:00:00Z',
          endAt: '2026-03-04T16:00:00Z',
        })
      }

      await publish(db, ada, id)

      const starts = Object.fromEntries(
        (await blocksOf(ada)).map(({ title, startAt }) => [title, startAt.slice(8, 16)]),
      )
      expect(starts).toEqual({ 'Earlier there': '04T15:00', 'Later there': '06T13:00' })
      const there = await Promise.all(blocks.map((block) => program.read(`${url}${block}.ics`)))
      expect(there.map((file) => valueOf(file, 'DTSTART'))).toEqual([
        '20260304T150000Z',
        '20260306T130000Z',
      ])
    })

    it('does not recreate an event that was deleted there; the block stays', async ({
      owner: ada,
      db,
      server,
    }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Deleted')
      const id = await addCalendar(ada, url, { twoWay: true })
      const dentist = await addEvent(ada, 'Dentist', 15)
      await publish(db, ada, id)
      await program.delete(`${url}${dentist}.ics`)

      await publish(db, ada, id)
      await ada.patch(`/api/time-blocks/${dentist}`, { title: 'Dentist again' })

      expect(await publish(db, ada, id)).not.toContain('PUT')
      expect(await calendarOf(ada)).toMatchObject({ eventCount: 0, error: null })
      expect(await blocksOf(ada)).toMatchObject([{ title: 'Dentist again' }])
    })

    it('leaves an event alone that has become very large', async ({ owner: ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Large')
      const dentist = await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url)
      await publish(db, ada, id)
      const at = `${url}${dentist}.ics`
      const comment = `COMMENT:${'x'.repeat(70)}\r\n`
      const file = await program.read(at)
      await program.put(at, file.replace('END:VEVENT', `${comment.repeat(3000)}END:VEVENT`))

      await ada.patch(`/api/time-blocks/${dentist}`, { title: 'Optician' })
      await publish(db, ada, id)

      expect(valueOf(await program.read(at), 'SUMMARY')).toBe('Dentist')
      expect(await publish(db, ada, id)).not.toContain('PUT')
    })

    it('does not come back as busy time', async ({ owner: ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Loop')
      await program.put(`${url}theirs.ics`, fileOf('theirs', '20260303'))
      await addEvent(ada, 'Dentist', 15)
      await publish(db, ada, await addCalendar(ada, url))
      const { body } = await ada.post('/api/calendars', { url, ...account })

      await refreshCalendar(contextOf(db), ada.id, body.id)

      const events = (await ada.get(`/api/calendar-events?${range}`)).body
      expect(events.map(({ title }: { title: string }) => title)).toEqual(['Meeting theirs'])
    })

    it('is removed with its calendar on request, and nothing else is', async ({
      owner: ada,
      db,
      server,
    }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Removed')
      await program.put(`${url}theirs.ics`, fileOf('theirs', '20260303'))
      const dentist = await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url)
      await publish(db, ada, id)

      await ada.delete(`/api/plan-calendars/${id}?events=remove`)
      await publish(db, ada, id)

      await expect(program.read(`${url}${dentist}.ics`)).rejects.toThrow('404')
      expect(await program.read(`${url}theirs.ics`)).toContain('Meeting theirs')
      expect((await ada.get('/api/plan-calendars')).body).toEqual([])
      expect(await blocksOf(ada)).toHaveLength(1)
    })

    it('takes over events of a job that was killed after it had written them', async ({
      owner: ada,
      db,
      server,
    }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Killed')
      await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, url)
      await publish(db, ada, id)
      await db.pool.query('delete from published_blocks where user_id = $1', [ada.id])

      await publish(db, ada, id)

      expect(await calendarOf(ada)).toMatchObject({ eventCount: 1, error: null })
      expect(await publish(db, ada, id)).toEqual([])
    })
  })
}

describe('a server that refuses', () => {
  const it = base.extend('refusing', async ({}, { onCleanup }) => {
    const state = { status: 500, etag: '"1"' as string | undefined, asked: 0 }
    const server = createServer((request, response) => {
      state.asked += 1
      request.resume()
      response.writeHead(state.status, state.etag === undefined ? {} : { etag: state.etag }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onCleanup(() => void server.close())
    const { port } = server.address() as AddressInfo
    return { state, url: `http://127.0.0.1:${port}/plan/` }
  })

  it.for([
    [401, 'The server refuses the user name or the password', false],
    [403, 'The server does not allow changes of this calendar', true],
    [404, 'There is no calendar at this address', true],
    [429, 'The server asks us to wait', true],
    [500, 'The server answered 500', true],
  ] as const)(
    'with %i: shows the error “%s”; the request is repeated: %s',
    async (row, { owner: ada, db, refusing }) => {
      const [status, error, isRepeated] = row
      refusing.state.status = status
      await addEvent(ada, 'Dentist', 15)
      const id = await addCalendar(ada, refusing.url)

      await publish(db, ada, id)

      expect(await calendarOf(ada)).toMatchObject({ error, eventCount: 0, syncedAt: null })
      const { rows } = await db.pool.query(
        'select next_sync_at is not null as "isRepeated", failures from plan_calendars where user_id = $1',
        [ada.id],
      )
      expect(rows).toEqual([{ isRepeated, failures: 1 }])

      refusing.state.status = 201
      await publish(db, ada, id)
      expect(await calendarOf(ada)).toMatchObject({ error: null, eventCount: 1 })
    },
  )

  it('is reported; what was written before is recorded', async ({ owner: ada, db, refusing }) => {
    const { state, url } = refusing
    await addEvent(ada, 'One', 9)
    await addEvent(ada, 'Two', 11)
    const id = await addCalendar(ada, url)
    state.status = 201
    const context = contextOf(db)
    const request: typeof context.request = (...given) => {
      if (state.asked === 1) state.status = 500
      return context.request(...given)
    }

    await publishPlan({ ...context, request }, ada.id, id)

    const { rows } = await db.pool.query('select 1 from published_blocks where user_id = $1', [
      ada.id,
    ])
    expect(rows).toHaveLength(1)
    expect(await calendarOf(ada)).toMatchObject({ error: 'The server answered 500' })
  })
})
