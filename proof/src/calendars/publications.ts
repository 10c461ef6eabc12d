// A worker that is killed while it writes the plan to calendars on CalDAV servers: in the end, every event must be
// there exactly once, at its planned time.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Random } from '../kit/random.ts'
import { serve } from './sites.ts'
import { slots, type World } from './world.ts'

const blocksEach = 6
const hour = 3_600_000
/** A job of a killed worker is resumed after 17 s; a change is written 10 s after it was made. */
const resumedMs = 50_000

type Publisher = Awaited<ReturnType<typeof newPublisher>>

export async function killInMidPublication(world: World, random: Random) {
  const findings: string[] = []
  const publishers: Publisher[] = []
  for (let number = 0; number < slots; number += 1) {
    publishers.push(await newPublisher(world, number, random.between(1, blocksEach - 1)))
  }
  try {
    const countHeld = () => publishers.filter(({ site }) => site.isHolding()).length
    const wanted = random.between(1, slots)
    const isBegun = await world.until(() => countHeld() >= wanted, 30_000)
    if (!isBegun) findings.push('the plan is not written')
    const cutOff = countHeld()
    await world.replaceWorker()
    const killedAt = performance.now()
    // After the move, the events that the killed worker wrote without recording it are out of date.
    for (const publisher of publishers) await publisher.moveAll(random.between(1, 5))
    for (const { site } of publishers) site.letGo()
    const wrong = () => publishers.flatMap((each) => each.differences())
    if (!(await world.until(() => wrong().length === 0, resumedMs))) {
      findings.push(...wrong().map((line) => `after a kill in mid-publication: ${line}`))
    }
    const seconds = (performance.now() - killedAt) / 1000
    const twice = publishers.reduce((sum, { site }) => sum + site.countMadeTwice(), 0)
    if (twice > 0) findings.push(`${twice} events were deleted and made again`)
    const figure = `a kill cut off ${cutOff} publications, all complete after ${seconds.toFixed(1)} s`
    return { findings, figures: [figure] }
  } finally {
    for (const { site } of publishers) site.close()
  }
}

/** A user with events, and a calendar on a server that stops answering after `holdAfter` writes. */
async function newPublisher({ origin }: World, number: number, holdAfter: number) {
  const site = await planSite(number, holdAfter)
  const cookie = await signUp(origin)
  const call = async (method: string, path: string, body: object) => {
    const headers = { cookie, origin, 'content-type': 'application/json' }
    const answer = await fetch(origin + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const first = Math.ceil(Date.now() / hour) * hour + 24 * hour
  const starts = new Map<string, number>()
  for (let index = 0; index < blocksEach; index += 1) {
    const startAt = first + 2 * index * hour
    const span = { startAt: new Date(startAt), endAt: new Date(startAt + hour) }
    const { id } = await call('POST', '/api/time-blocks', {
      type: 'event',
      title: `Event ${index}`,
      ...span,
    })
    starts.set(id, startAt)
  }
  const account = { username: 'ada', password: 'secret' }
  await call('POST', '/api/plan-calendars', { url: site.url, ...account })
  return {
    site,
    async moveAll(days: number) {
      for (const [id, startAt] of starts) {
        const moved = startAt + days * 24 * hour
        const span = { startAt: new Date(moved), endAt: new Date(moved + hour) }
        await call('PATCH', `/api/time-blocks/${id}`, span)
        starts.set(id, moved)
      }
    },
    /** How the events on the server differ from the plan. */
    differences() {
      const there = site.listStarts()
      const wrong = [...starts].flatMap(([id, startAt]) => {
        const found = there.get(id)
        if (found === undefined) return [`an event of calendar ${number} is lost`]
        return found === startAt ? [] : [`an event of calendar ${number} is at another time`]
      })
      const others = there.keys().filter((id) => !starts.has(id))
      return [...wrong, ...others.map(() => `calendar ${number} has an event that is not planned`)]
    },
  }
}

async function signUp(origin: string) {
  const account = {
    email: `${randomUUID()}@example.com`,
    password: 'correct horse battery staple',
    name: 'Ada',
  }
  const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (!answer.ok) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** A CalDAV server with one calendar. From write `holdAfter` on, it holds its answers back until `letGo` is called. */
async function planSite(number: number, holdAfter: number) {
  const objects = new Map<string, { etag: string; body: string }>()
  const made = new Map<string, number>()
  let writes = 0
  let isHeld = true
  const waiting: (() => void)[] = []

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    const body = await text(request)
    const { status, headers = {}, content = '' } = act(request, path, body)
    const answer = () => void response.writeHead(status, headers).end(content)
    if (isHeld && writes >= holdAfter) waiting.push(answer)
    else answer()
  }

  function act({ method, headers }: IncomingMessage, path: string, body: string): Acted {
    if (method === 'REPORT') return { status: 207, content: multistatusOf(body) }
    const known = objects.get(path)
    const isExpected =
      headers['if-none-match'] === '*' ? !known : headers['if-match'] === known?.etag
    if (!isExpected) return { status: 412 }
    writes += 1
    if (method === 'DELETE') {
      objects.delete(path)
      return { status: 204 }
    }
    const etag = `"${writes}"`
    if (!known) made.set(path, (made.get(path) ?? 0) + 1)
    objects.set(path, { etag, body })
    return { status: 201, headers: { etag } }
  }

  function multistatusOf(asked: string) {
    const responses = [...asked.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, path = '']) => {
      const found = objects.get(path)
      if (!found)
        return `<response><href>${path}</href><status>HTTP/1.1 404 Gone</status></response>`
      const data = `<calendar-data xmlns="urn:ietf:params:xml:ns:caldav"><![CDATA[${found.body}]]></calendar-data>`
      return `<response><href>${path}</href><propstat><prop><getetag>${found.etag}</getetag>${data}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`
    })
    return `<multistatus xmlns="DAV:">${responses.join('')}</multistatus>`
  }

  const { url, close } = await serve(
    `127.1.1.${number + 1}`,
    (request, response) => void respond(request, response),
  )
  return {
    url: new URL('/plan/', url).href,
    close,
    isHolding: () => waiting.length > 0,
    letGo() {
      isHeld = false
      for (const answer of waiting.splice(0)) answer()
    },
    /** The start of each event, by the id in its file name. */
    listStarts: () =>
      new Map(
        objects
          .entries()
          .map(([path, { body }]) => [path.replace(/^.*\/|\.ics$/g, ''), startOf(body)]),
      ),
    countMadeTwice: () =>
      made
        .values()
        .filter((count) => count > 1)
        .toArray().length,
  }
}

type Acted = { status: number; headers?: Record<string, string>; content?: string }

function startOf(body: string) {
  const [, ...parts] = /^DTSTART[^:]*:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/m.exec(body) ?? []
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  return Date.UTC(year, month - 1, ...rest)
}
