// The servers of the attacker: calendars that are expensive to read, and servers that never answer. Each address counts as a
// host of its own.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { fileOf, multistatus, serve } from '../calendars/sites.ts'

/** Serves at as many addresses, and returns their URLs. */
export async function serveAt(signal: AbortSignal, count: number, answer: RequestListener) {
  const urls: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { url, close } = await serve(
      `127.3.${Math.floor(number / 200)}.${(number % 200) + 1}`,
      answer,
    )
    signal.addEventListener('abort', close, { once: true })
    urls.push(url)
  }
  return urls
}

export const silent: RequestListener = (request) => void request.resume()

/** A file whose bytes differ each time, so that it is read each time. */
export function zippedFile(lines: string[]): RequestListener {
  const file = gzipSync(fileOf(lines), { level: 1 })
  let turn = 0
  return (_request, response) => {
    const comment = gzipSync(`X-TURN:${(turn += 1)}\r\n`)
    response
      .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/calendar' })
      .end(Buffer.concat([file, comment]))
  }
}

export const answerWith =
  (body: Buffer): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)

const zip = (xml: string) => gzipSync(xml, { level: 1 })

const sendXml = (response: ServerResponse, zipped: Buffer) =>
  response
    .writeHead(207, { 'content-type': 'application/xml', 'content-encoding': 'gzip' })
    .end(zipped)

async function textOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const ok = (href: string, properties: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

/** A CalDAV server with as many objects, which change each time they are listed. */
export function davServer(options: {
  objects: number
  etag: string
  body: string
}): RequestListener {
  const { objects, etag, body } = options
  let turn = 0
  return (request, response) => void respond(request, response)

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const asked = await textOf(request)
    const object = (href: string, content = '') =>
      ok(href, `<d:getetag>"${turn}${etag}"</d:getetag>${content}`)
    if (request.method === 'PROPFIND') {
      turn += 1
      return sendXml(
        response,
        zip(multistatus(ok('/calendar.ics', `<cs:getctag>${turn}</cs:getctag>`))),
      )
    }
    if (asked.includes('calendar-multiget')) {
      const hrefs = [...asked.matchAll(/<d:href>([^<]+)<\/d:href>/g)].map(([, href = '']) => href)
      const data = `<c:calendar-data>${body}</c:calendar-data>`
      return sendXml(response, zip(multistatus(hrefs.map((href) => object(href, data)).join(''))))
    }
    const list = Array.from({ length: objects }, (_, number) =>
      ok(`/${number}.ics`, `<d:getetag>"${turn}-${number}"</d:getetag>`),
    )
    sendXml(response, zip(multistatus(list.join(''))))
  }
}

/** A CalDAV server that answers everything with one element of as many attributes. */
export function attributes(count: number): RequestListener {
  const names = Array.from({ length: count }, (_, number) => `a${number}=""`)
  const body = zip(multistatus(`<d:a ${names.join(' ')}/>`))
  return (request, response) => {
    request.resume()
    sendXml(response, body)
  }
}

/** One event with as many dates, each in a time zone of its own. */
export const manyZones = (count: number) => [
  'BEGIN:VEVENT',
  'UID:many',
  'DTSTART:20260101T090000Z',
  'RRULE:FREQ=DAILY',
  ...Array.from({ length: count }, (_, number) => `EXDATE;TZID=Zone/${number}:20260102T090000`),
  'END:VEVENT',
]

/** 50 MB that compress to 47 KB. */
export const expanding = () => gzipSync(Buffer.alloc(50_000_000, '\n'))

/** An event of the past, whose zones do not end. */
export const zonesWithoutEnd = (bytes: number) =>
  `BEGIN:VCALENDAR\n${'BEGIN:VTIMEZONE\n'.repeat(bytes / 16)}END:VCALENDAR\n`
