import {
  type Client,
  createCalendar,
  deleteObject,
  discoverCalendars,
  putObject,
  readListing,
  readMultistatus,
  readObjects,
  syncCalendar,
} from '@daywright/caldav'
import { davAnswer, davLists } from '../formats/dav-answer.ts'
import { header } from '../formats/requests.ts'
import { megabyte, type Taker } from '../taker.ts'

const url = 'https://dav.example.com/calendar/'
const budget = () => ({ elements: 400_000, characters: 60 * megabyte })

/** A server that gives this answer to the first requests. More would be more bytes than the input has. */
function answering(answer: string): Client {
  let requests = 0
  return {
    async send() {
      requests += 1
      const body = Buffer.from(requests > 3 ? '<multistatus xmlns="DAV:"/>' : answer)
      return { status: 207, content: { body, encoding: null }, location: null, etag: '"1"' }
    },
    parse: {
      multistatus: async ({ body }, most) => readMultistatus(Buffer.from(body).toString(), most),
      objects: async ({ body }, base, most) =>
        readListing(Buffer.from(body).toString(), base, most),
    },
  }
}

/** A server that redirects to this location, or answers with this ETag. */
const withHeaders = (location: string | null, etag: string | null): Client => ({
  ...answering(''),
  send: async () => ({
    status: location === null ? 201 : 302,
    content: { body: Buffer.alloc(0), encoding: null },
    location,
    etag,
  }),
})

export const takers: Taker[] = [
  {
    name: 'readMultistatus',
    format: davLists,
    take: (body) => readMultistatus(body, budget()),
    mostBytes: 10 * megabyte,
    mostSteps: 21_000,
    covers: ['readMultistatus'],
  },
  {
    name: 'readListing',
    format: davAnswer,
    take: (body) => readListing(body, url, budget()),
    mostBytes: 10 * megabyte,
    mostSteps: 21_000,
    covers: ['readListing'],
  },
  {
    name: 'syncCalendar',
    format: davLists,
    take: (body) =>
      syncCalendar(
        answering(body),
        url,
        { token: null, tag: null, etags: new Map() },
        { isWhole: false, mostObjects: 20_000, mostBytes: 25 * megabyte },
      ),
    mostBytes: 10 * megabyte,
    mostSteps: 42_000,
    covers: ['syncCalendar'],
  },
  {
    name: 'readObjects',
    format: davLists,
    take: (body) => readObjects(answering(body), url, ['/0.ics'], 5 * megabyte),
    mostBytes: 10 * megabyte,
    mostSteps: 21_000,
    covers: ['readObjects'],
  },
  {
    name: 'discoverCalendars',
    format: davLists,
    take: (body) => discoverCalendars(answering(body), url),
    mostBytes: megabyte,
    mostSteps: 42_000,
    covers: ['discoverCalendars'],
  },
  {
    name: 'the headers of a CalDAV server',
    format: header,
    take: (value) =>
      Promise.allSettled([
        createCalendar(withHeaders(value, null), url, 'Work'),
        putObject(withHeaders(null, value), url, { body: '', etag: null }),
        deleteObject(withHeaders(value, null), url, '"1"'),
      ]),
    mostBytes: 16_000,
    mostSteps: 5000,
    covers: ['createCalendar', 'putObject', 'deleteObject'],
  },
]
