// Tests the client against real servers, whose responses differ.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  DavError,
  createCalendar,
  deleteObject,
  discoverCalendars,
  putObject,
  readObjects,
  syncCalendar,
  type CalendarState,
} from '../src/index.ts'
import {
  calendarOf,
  type CaldavServer,
  createProgram,
  credentials,
  eventOf,
  fileOf,
  isInstalled,
  sendWith,
  serverNames,
  startCaldavServer,
} from './servers.ts'

const none: CalendarState = { token: null, tag: null, etags: new Map() }
const options = {
  isWhole: false,
  mostObjects: 1000,
  mostBytes: 1_000_000,
}

for (const name of serverNames) {
  describe.skipIf(!isInstalled(name))(`the server ${name}`, () => {
    let server: CaldavServer
    beforeAll(async () => void (server = await startCaldavServer(name)))
    afterAll(() => server.stop())

    it('lists the calendars with events, from the host, the home or a calendar', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Work')
      await program.createCalendar('Chores', ['VTODO'])

      for (const address of [server.origin, server.home, url]) {
        const { calendars: found, home } = await discoverCalendars(sendWith(credentials), address)
        expect(home).toBe(server.home)
        // Xandikos knows neither colors nor which components a calendar may have.
        const isKnown = name === 'radicale'
        const color = isKnown ? '#11AA33' : null
        expect(found).toContainEqual({ url, name: 'Work', color, mayWrite: true })
        expect(found.some((each) => each.name === 'Chores')).toBe(!isKnown)
      }
    })

    it('creates a calendar, and leaves one that exists as it is', async () => {
      const send = sendWith(credentials)
      const url = `${server.home}made/`
      await createCalendar(send, url, 'Made & <mine>')
      await createCalendar(send, url, 'Another name')
      const { calendars } = await discoverCalendars(send, server.origin)
      expect(calendars.find((each) => each.url === url)).toMatchObject({
        name: 'Made & <mine>',
        mayWrite: true,
      })
      const nowhere = createCalendar(send, `${server.home}no/such/folder/`, 'Lost')
      await expect(nowhere).rejects.toBeInstanceOf(DavError)
    })

    it('reads a calendar once, and then only what has changed', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Sync')
      await program.put(`${url}a.ics`, fileOf('a', '20300107'))
      await program.put(`${url}b%40home.ics`, fileOf('b@home', '20300108'))
      await program.put(`${url}old.ics`, fileOf('old', '20200101'))
      await program.put(`${url}series.ics`, fileOf('series', '20200101', 'RRULE:FREQ=WEEKLY'))
      const sent: string[] = []
      const send = sendWith(credentials, sent)

      const first = await syncCalendar(send, url, none, options)
      expect(first.removed).toEqual([])
      expect(first.token).not.toBeNull()
      const uids = first.written.map(({ body }) => /UID:(.*)/.exec(body)?.[1]?.trim() ?? '')
      expect(new Set(uids)).toEqual(new Set(['a', 'b@home', 'old', 'series']))

      const state = stateAfter(none, first)
      sent.length = 0
      const same = await syncCalendar(send, url, state, options)
      expect(same).toMatchObject({ written: [], removed: [] })
      expect(sent).toEqual([`REPORT ${new URL(url).pathname}`])

      await program.put(`${url}a.ics`, fileOf('a', '20300109'))
      await program.delete(`${url}b%40home.ics`)
      await program.put(`${url}c.ics`, fileOf('c', '20300110'))
      const second = await syncCalendar(send, url, stateAfter(state, same), options)
      const names = second.written.map(({ path }) => path.split('/').at(-1))
      expect(new Set(names)).toEqual(new Set(['a.ics', 'c.ics']))
      expect(second.removed.map((path) => path.split('/').at(-1))).toEqual(['b%40home.ics'])
    })

    it('writes and deletes objects, but none that has changed in the meantime', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Plan')
      const send = sendWith(credentials)
      const at = `${url}a.ics`
      const made = await putObject(send, at, { body: fileOf('a', '20300107'), etag: null })
      const etag = made.kind === 'written' ? (made.etag ?? '') : ''
      expect(etag).toMatch(/^".+"$/)
      expect(await putObject(send, at, { body: fileOf('a', '20300108'), etag: null })).toEqual({
        kind: 'conflict',
      })

      await program.put(at, fileOf('a', '20300109'))
      expect(await putObject(send, at, { body: fileOf('a', '20300108'), etag })).toEqual({
        kind: 'conflict',
      })
      expect(await deleteObject(send, at, etag)).toBe(false)

      const { pathname } = new URL(at)
      const [read, ...others] = await readObjects(send, url, [pathname, `${pathname}x`], 10_000)
      expect(others).toEqual([])
      expect(read?.body).toContain('20300109')
      expect(await putObject(send, at, { body: fileOf('a', '20300108'), etag })).toEqual({
        kind: 'conflict',
      })
      expect(await deleteObject(send, at, read?.etag ?? '')).toBe(true)
      expect(await deleteObject(send, at, etag)).toBe(true)
    })

    it('ignores objects without a stored copy on request', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Mixed')
      await program.put(`${url}theirs.ics`, fileOf('theirs', '20300107'))
      await program.put(`${url}ours.ics`, fileOf('ours', '20300107'))
      const { pathname } = new URL(`${url}ours.ics`)
      const state = { ...none, etags: new Map([[pathname, '']]) }
      const copies = { ...options, copiesOnly: true }

      const found = await syncCalendar(sendWith(credentials), url, state, copies)

      expect(found.written.map(({ path }) => path)).toEqual([pathname])
    })

    it('reads the whole calendar if the server does not know the token', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Token')
      await program.put(`${url}a.ics`, fileOf('a', '20300107'))
      const send = sendWith(credentials)
      const state = stateAfter(none, await syncCalendar(send, url, none, options))
      await program.put(`${url}b.ics`, fileOf('b', '20300107'))
      await program.delete(`${url}a.ics`)

      for (const token of ['http://example.com/sync/1', 'unknown', state.token!.slice(0, -4)]) {
        const read = await syncCalendar(send, url, { ...state, token }, options)
        expect(read.written.map(({ path }) => path.split('/').at(-1))).toEqual(['b.ics'])
        expect(read.removed.map((path) => path.split('/').at(-1))).toEqual(['a.ics'])
      }
    })

    it('lists the whole calendar on request, and reads what differs', async () => {
      const program = createProgram(server)
      const url = await program.createCalendar('Whole')
      await program.put(`${url}a.ics`, fileOf('a', '20300107'))
      await program.put(`${url}b.ics`, fileOf('b', '20300107'))
      const send = sendWith(credentials)
      const state = stateAfter(none, await syncCalendar(send, url, none, options))
      await program.put(`${url}b.ics`, fileOf('b', '20300108'))

      const read = await syncCalendar(send, url, state, { ...options, isWhole: true })
      expect(read.written.map(({ path }) => path.split('/').at(-1))).toEqual(['b.ics'])
      expect(read.removed).toEqual([])
    })

    it('reports that a calendar does not exist', async () => {
      const missing = `${server.home}missing/`
      const reading = syncCalendar(sendWith(credentials), missing, none, options)
      await expect(reading).rejects.toMatchObject({ reason: 'not-found' })
    })
  })
}

describe.skipIf(!isInstalled('radicale'))('a calendar of 120 events', () => {
  it('is read in four requests', async () => {
    const server = await startCaldavServer('radicale')
    const url = `${server.home}many/`
    const events = Array.from({ length: 120 }, (_, index) => eventOf(`${index}`, '20300107'))
    // Radicale takes a whole calendar at once.
    await createProgram(server).put(url, calendarOf(...events))
    const sent: string[] = []
    const read = await syncCalendar(sendWith(credentials, sent), url, none, options)
    expect(read.written).toHaveLength(120)
    expect(sent).toHaveLength(4)
    await server.stop()
  })
})

describe.skipIf(!isInstalled('radicale'))('a wrong password', () => {
  it('is refused, and no further address is tried', async () => {
    const server = await startCaldavServer('radicale')
    const sent: string[] = []
    const wrong = `Basic ${Buffer.from('ada:wrong').toString('base64')}`
    const finding = discoverCalendars(sendWith(wrong, sent), `${server.origin}/ada/`)
    await expect(finding).rejects.toEqual(new DavError('unauthorized', { status: 401 }))
    expect(sent).toHaveLength(1)
    await server.stop()
  })
})

function stateAfter(
  { etags }: CalendarState,
  { written, removed, token, tag }: Awaited<ReturnType<typeof syncCalendar>>,
): CalendarState {
  const next = new Map(etags)
  for (const path of removed) next.delete(path)
  for (const { path, etag } of written) next.set(path, etag)
  return { token, tag, etags: next }
}
