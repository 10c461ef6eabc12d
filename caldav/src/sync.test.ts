// Differences between the responses of servers, each known from a real server.
import { describe, expect, it } from 'vitest'
import { clientOf, type TextResponse } from '../test/parse-here.ts'
import { discoverCalendars } from './index.ts'
import { type CalendarState, syncCalendar } from './sync.ts'

const url = 'https://dav.example.com/ada/work/'
const none: CalendarState = { token: null, tag: null, etags: new Map() }
const known: CalendarState = {
  token: 'one',
  tag: null,
  etags: new Map([
    ['/ada/work/a.ics', '"1"'],
    ['/ada/work/b.ics', '"1"'],
  ]),
}
const options = { isWhole: false, mostObjects: 10, mostBytes: 10_000 }

const ok = 'HTTP/1.1 200 OK'
const propstat = (content: string, status = ok) =>
  `<d:propstat><d:prop>${content}</d:prop><d:status>${status}</d:status></d:propstat>`
const response = (href: string, content: string) =>
  `<d:response><d:href>${href}</d:href>${content}</d:response>`
const etag = (href: string, tag: string) =>
  response(href, propstat(`<d:getetag>${tag}</d:getetag>`))
const gone = (href: string) => response(href, '<d:status>HTTP/1.1 404 Not Found</d:status>')
const object = (href: string, body = 'BEGIN') =>
  response(href, propstat(`<d:getetag>"2"</d:getetag><c:calendar-data>${body}</c:calendar-data>`))
const marks = (content: string) => answer(response('/ada/work/', propstat(content)))
const answer = (...parts: string[]): TextResponse => ({
  status: 207,
  text: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${parts.join('')}</d:multistatus>`,
  location: null,
})
const token = (text: string) => `<d:sync-token>${text}</d:sync-token>`
const refusal = (status: number): TextResponse => ({ status, text: '', location: null })

/** A server that gives these answers one after the other. */
function serverAnswering(...answers: TextResponse[]) {
  const sent: string[] = []
  const client = clientOf(async ({ method, body, url: to }) => {
    const what = /<[cd]:(sync-collection|calendar-query|calendar-multiget|propfind)/.exec(body)?.[1]
    sent.push(`${what ?? method}${to === url ? '' : ` ${to}`}`)
    const next = answers.shift()
    if (!next) throw new Error(`No answer to ${body}`)
    return next
  })
  return { client, sent }
}

describe('a sync by token', () => {
  it('asks once if nothing has changed', async () => {
    const { client, sent } = serverAnswering(answer(token('two')))
    expect(await syncCalendar(client, url, known, options)).toEqual({
      written: [],
      removed: [],
      token: 'two',
      tag: null,
    })
    expect(sent).toEqual(['sync-collection'])
  })

  it('does not read an unchanged object, nor remove an unknown one', async () => {
    const { client, sent } = serverAnswering(
      answer(etag('/ada/work/a.ics', '"1"'), gone('/ada/work/never.ics'), token('two')),
    )
    const { written, removed } = await syncCalendar(client, url, known, options)
    expect({ written, removed }).toEqual({ written: [], removed: [] })
    expect(sent).toEqual(['sync-collection'])
  })

  it.for([403, 409, 410, 412, 418, 500, 404])(
    'reads the whole calendar if the server answers %i to the token',
    async (status) => {
      const { client, sent } = serverAnswering(
        refusal(status),
        marks(token('new')),
        answer(etag('/ada/work/a.ics', '"1"')),
      )
      expect(await syncCalendar(client, url, known, options)).toEqual({
        written: [],
        removed: ['/ada/work/b.ics'],
        token: 'new',
        tag: null,
      })
      expect(sent).toEqual(['sync-collection', 'propfind', 'calendar-query'])
    },
  )

  it.for([401, 429, 503])('fails if the server answers %i', async (status) => {
    const { client } = serverAnswering(refusal(status))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({ status })
  })

  it('requests the rest if the list is truncated', async () => {
    const cut = response('/ada/work/', '<d:status>HTTP/1.1 507 Insufficient Storage</d:status>')
    const { client, sent } = serverAnswering(
      answer(etag('/ada/work/c.ics', '"1"'), cut, token('two')),
      answer(gone('/ada/work/b.ics'), token('three')),
      answer(object('/ada/work/c.ics')),
    )
    expect(await syncCalendar(client, url, known, options)).toMatchObject({
      written: [{ path: '/ada/work/c.ics' }],
      removed: ['/ada/work/b.ics'],
      token: 'three',
    })
    expect(sent).toEqual(['sync-collection', 'sync-collection', 'calendar-multiget'])
  })

  it('recognises a path that is encoded differently', async () => {
    const state = { ...known, etags: new Map([['/ada/work/b%40home.ics', '"1"']]) }
    const { client } = serverAnswering(answer(gone('/ada/work/b@home.ics'), token('two')))
    const { removed } = await syncCalendar(client, url, state, options)
    expect(removed).toEqual(['/ada/work/b%40home.ics'])
  })
})

describe('an object with an unexpected status', () => {
  const forbidden = response('/ada/work/a.ics', '<d:status>HTTP/1.1 403 Forbidden</d:status>')

  it('does not count as deleted', async () => {
    const byToken = serverAnswering(
      answer(forbidden, token('two')),
      marks(token('new')),
      answer(forbidden, etag('/ada/work/b.ics', '"1"')),
    )
    const failed = { reason: 'failed' }
    await expect(syncCalendar(byToken.client, url, known, options)).rejects.toMatchObject(failed)

    const listed = answer(etag('/ada/work/a.ics', '"2"'), etag('/ada/work/b.ics', '"1"'))
    const { client } = serverAnswering(marks(token('new')), listed, answer(forbidden))
    const state = { ...known, token: null }
    await expect(syncCalendar(client, url, state, options)).rejects.toMatchObject(failed)
  })
})

describe('a full sync', () => {
  it('accepts an object only once, and only if it was requested', async () => {
    const { client } = serverAnswering(
      marks(token('new')),
      answer(etag('/ada/work/a.ics', '"2"')),
      answer(object('/ada/work/a.ics'), object('/ada/work/a.ics'), object('/ada/work/other.ics')),
    )
    const { written } = await syncCalendar(client, url, none, options)
    expect(written).toEqual([{ path: '/ada/work/a.ics', etag: '"2"', body: 'BEGIN' }])
  })

  it('reads objects in batches of 100', async () => {
    const paths = Array.from({ length: 250 }, (_, index) => `/ada/work/${index}.ics`)
    const { client, sent } = serverAnswering(
      marks(token('new')),
      answer(...paths.map((path) => etag(path, '"2"'))),
      answer(...paths.slice(0, 100).map((path) => object(path))),
      answer(...paths.slice(100, 200).map((path) => object(path))),
      answer(...paths.slice(200).map((path) => object(path))),
    )
    const { written } = await syncCalendar(client, url, none, { ...options, mostObjects: 250 })
    expect(written).toHaveLength(250)
    expect(sent).toHaveLength(5)
  })

  it('reads nothing if a server without tokens reports the same CTag', async () => {
    const state = { ...known, token: null, tag: 'seven' }
    const { client, sent } = serverAnswering(marks('<cs:getctag>seven</cs:getctag>'))
    const { written, removed } = await syncCalendar(client, url, state, options)
    expect({ written, removed }).toEqual({ written: [], removed: [] })
    expect(sent).toEqual(['propfind'])
  })

  it('ignores empty properties with 404', async () => {
    const { client } = serverAnswering(
      answer(
        response(
          '/ada/work/',
          propstat(token('new')) + propstat('<cs:getctag/>', 'HTTP/1.1 404 Not Found'),
        ),
      ),
      answer(),
    )
    expect(await syncCalendar(client, url, none, options)).toMatchObject({
      token: 'new',
      tag: null,
    })
  })

  it('removes an object that was deleted meanwhile', async () => {
    const { client } = serverAnswering(
      marks(token('new')),
      answer(etag('/ada/work/a.ics', '"2"'), etag('/ada/work/b.ics', '"1"')),
      answer(gone('/ada/work/a.ics')),
    )
    const state = { ...known, token: null }
    const { written, removed } = await syncCalendar(client, url, state, options)
    expect({ written, removed }).toEqual({ written: [], removed: ['/ada/work/a.ics'] })
  })

  it.for([
    ['left out', answer()],
    ['without its text', answer(etag('/ada/work/a.ics', '"2"'))],
  ] as const)('fails if an object is %s', async ([, missing]) => {
    const { client } = serverAnswering(
      marks(token('new')),
      answer(etag('/ada/work/a.ics', '"2"')),
      missing,
    )
    await expect(syncCalendar(client, url, none, options)).rejects.toMatchObject({
      reason: 'failed',
    })
  })

  it('is refused if it is too large', async () => {
    const listed = answer(...[1, 2, 3].map((each) => etag(`/ada/work/${each}.ics`, '"2"')))
    const few = { ...options, mostObjects: 2 }
    const tooLarge = { reason: 'too-large' }
    const { client } = serverAnswering(marks(token('new')), listed)
    await expect(syncCalendar(client, url, none, few)).rejects.toMatchObject(tooLarge)

    const long = serverAnswering(
      marks(token('new')),
      answer(etag('/ada/work/1.ics', '"2"')),
      answer(object('/ada/work/1.ics', 'x'.repeat(101))),
    )
    const short = { ...options, mostBytes: 100 }
    await expect(syncCalendar(long.client, url, none, short)).rejects.toMatchObject(tooLarge)
  })

  it('counts paths and ETags like files', async () => {
    const paths = [1, 2, 3].map((each) => `/ada/work/${each}${'x'.repeat(50)}.ics`)
    const { client } = serverAnswering(
      marks(token('new')),
      answer(...paths.map((path) => etag(path, '"2"'))),
      answer(...paths.map((path) => object(path, ''))),
    )
    const short = { ...options, mostBytes: 200 }
    await expect(syncCalendar(client, url, none, short)).rejects.toMatchObject({
      reason: 'too-large',
    })
  })
})

describe('a text that is too long to be stored', () => {
  const long = 'x'.repeat(10_001)

  it.for<[string, TextResponse[]]>([
    ['an ETag in the list', [marks(token('new')), answer(etag('/ada/work/1.ics', long))]],
    [
      'an ETag with its object',
      [
        marks(token('new')),
        answer(etag('/ada/work/1.ics', '"2"')),
        answer(
          response('/ada/work/1.ics', propstat(`<d:getetag>${long}</d:getetag><c:calendar-data/>`)),
        ),
      ],
    ],
    ['a path', [marks(token('new')), answer(etag(`/ada/work/${long}.ics`, '"2"'))]],
    [
      'a path that is long once it is encoded',
      [marks(token('new')), answer(etag(`/ada/work/${'é'.repeat(1000)}.ics`, '"2"'))],
    ],
    ['a path with many segments', [marks(token('new')), answer(etag('/'.repeat(10_000), '"2"'))]],
    ['a token', [marks(token(long)), answer()]],
    ['a CTag', [marks(`<cs:getctag>${long}</cs:getctag>`), answer()]],
  ])('refuses the calendar: %s', async ([, answers]) => {
    const { client } = serverAnswering(...answers)
    await expect(syncCalendar(client, url, none, options)).rejects.toMatchObject({
      reason: 'too-large',
    })
  })

  it('refuses the changes: a token', async () => {
    const { client } = serverAnswering(answer(token(long)))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({
      reason: 'too-large',
    })
  })
})

describe('the characters of all responses together', () => {
  it('are limited', async () => {
    const page = (next: number) =>
      answer(
        `<d:a>${'x'.repeat(9_000_000)}</d:a>`,
        response('/ada/work/', '<d:status>HTTP/1.1 507 Full</d:status>'),
        token(`${next}`),
      )
    const { client, sent } = serverAnswering(...Array.from({ length: 50 }, (_, at) => page(at)))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({
      reason: 'too-large',
    })
    expect(sent).toHaveLength(7)
  })
})

describe('a response with very many elements', () => {
  const many = (text: string): TextResponse => ({ status: 207, text, location: null })

  it.for([
    ['elements', `<a>${'<a/>'.repeat(400_000)}</a>`],
    ['attributes', `<a>${'<a b="" c="" d=""/>'.repeat(100_001)}</a>`],
  ] as const)('is refused: %s', async ([, text]) => {
    const { client } = serverAnswering(many(text))
    const tooLarge = { reason: 'too-large' }
    await expect(syncCalendar(client, url, none, options)).rejects.toMatchObject(tooLarge)
    await expect(
      discoverCalendars(
        clientOf(async () => many(text)),
        'https://dav.example.com/',
      ),
    ).rejects.toMatchObject(tooLarge)
  })

  it('counts together with the answers before it', async () => {
    const page = (next: number) =>
      answer(
        '<d:a/>'.repeat(60_000),
        response('/ada/work/', '<d:status>HTTP/1.1 507 Full</d:status>'),
        token(`${next}`),
      )
    const { client, sent } = serverAnswering(...Array.from({ length: 50 }, (_, at) => page(at)))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({
      reason: 'too-large',
    })
    expect(sent).toHaveLength(7)
  })
})

describe('a redirect', () => {
  const to = (location: string): TextResponse => ({ status: 301, text: '', location })

  it('within the site is followed', async () => {
    const { client, sent } = serverAnswering(
      to('https://p01.example.com/ada/'),
      answer(token('two')),
    )
    await syncCalendar(client, url, known, options)
    expect(sent).toEqual(['sync-collection', 'sync-collection https://p01.example.com/ada/'])
  })

  it.for([
    'http://dav.example.com/ada/work/',
    'https://dav.elsewhere.com/',
    'https://ada:secret@dav.example.com/',
    'https://dav.example.com.elsewhere.com/',
  ])('to %s is refused, because the password would be sent there', async (location) => {
    const { client, sent } = serverAnswering(to(location))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({
      reason: 'not-caldav',
    })
    expect(sent).toHaveLength(1)
  })

  it('is followed at most five times', async () => {
    const { client, sent } = serverAnswering(...Array.from({ length: 6 }, () => to(url)))
    await expect(syncCalendar(client, url, known, options)).rejects.toMatchObject({
      reason: 'not-caldav',
    })
    expect(sent).toHaveLength(6)
  })
})
