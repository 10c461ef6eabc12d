// Calendar servers, each on its own address so that it counts as a separate host: honest ones, whose file the
// harness changes, and hostile ones.
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** The networks that the service is allowed to reach; `forbidden` is outside of them. */
export const allowedNetworks = '127.1.0.0/16,127.2.0.0/16'
const forbidden = '127.9.0.1'

type Site = { url: string; close: () => void }

export async function serve(address: string, answer: RequestListener): Promise<Site> {
  const server = createServer(answer).listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}/calendar.ics`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const fileOf = (events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')

const event = (uid: string, lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')

export type Meeting = { uid: string; startAt: Date; endAt: Date }

const utc = (time: Date) => time.toISOString().replaceAll(/[-:]|\.\d+/g, '')

export const fileWith = (meetings: Meeting[]) =>
  fileOf(
    meetings.map(({ uid, startAt, endAt }) =>
      event(uid, [`DTSTART:${utc(startAt)}`, `DTEND:${utc(endAt)}`]),
    ),
  )

export type Answer = { status: number; body: string }

/** A server that responds with `answer`. While `isHeld` is set, requests wait until `letGo` is called. */
export async function honestSite(number: number) {
  const site = { answer: { status: 200, body: '' }, requests: 0, isHeld: false }
  const waiting: ServerResponse[] = []
  const respond = (response: ServerResponse) => {
    const { status, body } = site.answer
    // The file differs each time, but has the same events.
    const numbered = body.replace('VERSION:2.0', `VERSION:2.0\r\nX-REQUEST:${site.requests}`)
    response.writeHead(status).end(numbered)
  }
  const { url, close } = await serve(`127.1.0.${number + 1}`, (_request, response) => {
    site.requests += 1
    if (site.isHeld) waiting.push(response)
    else respond(response)
  })
  return Object.assign(site, {
    url,
    close,
    countWaiting: () => waiting.length,
    letGo() {
      site.isHeld = false
      for (const response of waiting.splice(0)) respond(response)
    },
  })
}

/** A gigabyte of zeros. */
const zipBomb = () => {
  const member = gzipSync(Buffer.alloc(10_000_000))
  return Buffer.concat(Array.from({ length: 100 }, () => member))
}

const everyMs = (ms: number, response: ServerResponse, text: string) => {
  const timer = setInterval(() => response.write(text), ms)
  response.once('close', () => clearInterval(timer))
}

function writeForEver(response: ServerResponse, text: string) {
  const write = () => {
    while (!response.destroyed && response.write(text));
  }
  response.on('drain', write)
  write()
}

const endless = [
  event('real', ['DTSTART:20260101T090000Z', 'DTEND:20260101T093000Z', 'RRULE:FREQ=DAILY']),
  event('never', ['DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30']),
  event('seconds', ['DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY']),
  event('rare', ['DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30']),
  event('count', ['DTSTART:19700101T000000Z', 'RRULE:FREQ=MINUTELY;COUNT=1000000000']),
]

type Manner = {
  answer: (target: string) => RequestListener
  /** The error message that the user must be shown; none if the events are read. */
  error?: RegExp
  /** Whether the user subscribes to it as a CalDAV server. */
  isDav?: boolean
}

export const multistatus = (content: string) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${content}</d:multistatus>`

const sendDav =
  (body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(207, { 'content-type': 'application/xml' }).end(body)

/** An entity bomb: each entity expands to ten times the previous one. */
const entities = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
).join('')}]><d:multistatus xmlns:d="DAV:"><d:response>&e9;</d:response></d:multistatus>`

const cutOff = `<d:response><d:href>/calendar.ics</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>`

/** How each kind of hostile server answers. */
const manners: Record<string, Manner> = {
  'a server that never answers': { answer: () => () => {}, error: /too slow|No answer/ },
  'a byte a second': {
    answer: () => (_request, response) => everyMs(1000, response.writeHead(200), 'B'),
    error: /too slow|No answer/,
  },
  'a file without end': {
    answer: () => (_request, response) =>
      writeForEver(response.writeHead(200), 'X-A:a\r\n'.repeat(10_000)),
    error: /larger than 50 MB/,
  },
  'a gzip bomb': {
    answer: () => {
      const body = zipBomb()
      return (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    },
    error: /larger than 50 MB/,
  },
  'a redirect to a private address': {
    answer: (target) => (_request, response) => response.writeHead(302, { location: target }).end(),
    error: /redirects to an address that is not allowed/,
  },
  'a redirect to itself': {
    answer: () => (_request, response) =>
      response.writeHead(302, { location: '/calendar.ics' }).end(),
    error: /redirects too often/,
  },
  'a CalDAV answer of a million elements': {
    answer: () => sendDav(multistatus('<d:a/>'.repeat(1_500_000))),
    error: /too large/,
    isDav: true,
  },
  'a CalDAV answer with entities': {
    answer: () => sendDav(entities),
    error: /does not offer calendars by CalDAV/,
    isDav: true,
  },
  'a CalDAV redirect to a private address': {
    answer: (target) => (_request, response) => response.writeHead(301, { location: target }).end(),
    error: /does not offer calendars by CalDAV/,
    isDav: true,
  },
  'a CalDAV list that is cut off': {
    answer: () => sendDav(multistatus(`${cutOff}<d:sync-token>more</d:sync-token>`)),
    error: /too large/,
    isDav: true,
  },
  'rules without end': { answer: () => (_request, response) => response.end(fileOf(endless)) },
}

export const slowKinds = ['a server that never answers', 'a byte a second']
export const otherKinds = Object.keys(manners).filter((kind) => !slowKinds.includes(kind))

export async function hostileSites(kinds: string[]) {
  let forbiddenRequests = 0
  let requests = 0
  const secret = await serve(forbidden, (_request, response) => {
    forbiddenRequests += 1
    response.end(fileOf([]))
  })
  const sites: (Site & { kind: string; error: RegExp | undefined; isDav: boolean })[] = []
  for (const [number, kind] of kinds.entries()) {
    const manner = manners[kind]
    if (!manner) throw new Error(`No kind ${kind}`)
    const answer = manner.answer(secret.url)
    const site = await serve(`127.2.0.${number + 1}`, (request, response) => {
      requests += 1
      response.on('error', () => {})
      answer(request, response)
    })
    sites.push({ ...site, kind, error: manner.error, isDav: manner.isDav ?? false })
  }
  return {
    sites,
    countRequests: () => requests,
    countForbidden: () => forbiddenRequests,
    close() {
      for (const site of [secret, ...sites]) site.close()
    },
  }
}
