// Starts installed CalDAV servers (Debian: radicale, xandikos), each on loopback with an empty folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../src/index.ts'
import { clientOf } from './parse-here.ts'

export const serverNames = ['radicale', 'xandikos'] as const
export type ServerName = (typeof serverNames)[number]

export const isInstalled = (name: ServerName) => existsSync(`/usr/bin/${name}`)

export const user = 'ada'
export const password = 'calendar secret'
export const credentials = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export async function startCaldavServer(name: ServerName) {
  const folder = await mkdtemp(join(tmpdir(), `daywright-${name}-`))
  const port = await freePort()
  const child = await { radicale: startRadicale, xandikos: startXandikos }[name](folder, port)
  const origin = `http://127.0.0.1:${port}`
  await waitForAnswer(child, origin)
  return {
    origin,
    /** Where the user's calendars are. */
    home: `${origin}/${name === 'radicale' ? user : 'user/calendars'}/`,
    stop: async () => {
      const gone = child.exitCode === null ? once(child, 'exit') : undefined
      child.kill('SIGKILL')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type CaldavServer = Awaited<ReturnType<typeof startCaldavServer>>

async function startRadicale(folder: string, port: number) {
  const users = join(folder, 'users')
  await writeFile(users, `${user}:${password}\n`)
  return run('radicale', [
    `--server-hosts=127.0.0.1:${port}`,
    '--auth-type=htpasswd',
    `--auth-htpasswd-filename=${users}`,
    '--auth-htpasswd-encryption=plain',
    `--storage-filesystem-folder=${join(folder, 'collections')}`,
  ])
}

/** Xandikos has no passwords. */
const startXandikos = async (folder: string, port: number) =>
  run('xandikos', [
    '--directory',
    folder,
    '--defaults',
    '--listen-address=127.0.0.1',
    `--port=${port}`,
    '--current-user-principal=/user/',
  ])

const run = (program: string, args: string[]) => spawn(program, args, { stdio: 'ignore' })

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function waitForAnswer(child: ChildProcess, origin: string) {
  const until = Date.now() + 30_000
  for (;;) {
    const answer = await fetch(origin, { redirect: 'manual' }).catch(() => undefined)
    if (answer) return
    if (child.exitCode !== null || Date.now() > until) throw new Error('The server does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Sends requests with this `Authorization` header, and notes them in `sent`. */
export const sendWith = (authorization: string, sent: string[] = []): Client =>
  clientOf(async ({ method, url, headers, body }) => {
    sent.push(`${method} ${new URL(url).pathname}`)
    const request = new Request(url, {
      method,
      // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- never GET or HEAD
      body,
      headers: { authorization, ...headers },
      redirect: 'manual',
    })
    const response = await fetch(request)
    const location = response.headers.get('location')
    const etag = response.headers.get('etag')
    return { status: response.status, text: await response.text(), location, etag }
  })

/** Makes the requests of another calendar program. */
export function createProgram({ home }: CaldavServer) {
  async function call(method: string, url: string, body?: string, headers = {}) {
    const sent = { authorization: credentials, ...headers }
    const response = await fetch(url, { method, body: body ?? null, headers: sent })
    if (!response.ok)
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    async createCalendar(name: string, components = ['VEVENT']) {
      const url = `${home}${encodeURIComponent(name.toLowerCase())}/`
      const set = components.map((each) => `<C:comp name="${each}"/>`).join('')
      await call(
        'MKCALENDAR',
        url,
        `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/"><D:set><D:prop><D:displayname>${name}</D:displayname><A:calendar-color>#11aa33ff</A:calendar-color><C:supported-calendar-component-set>${set}</C:supported-calendar-component-set></D:prop></D:set></C:mkcalendar>`,
        { 'content-type': 'application/xml' },
      )
      return url
    },
    put: (url: string, file: string) => call('PUT', url, file, { 'content-type': 'text/calendar' }),
    read: async (url: string) => (await call('GET', url)).text(),
    delete: (url: string) => call('DELETE', url),
  }
}

/** An event of an hour on a day like 20300107, with further lines. */
export const eventOf = (uid: string, day: string, ...more: string[]) =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART:${day}T090000Z`,
    `DTEND:${day}T100000Z`,
    `SUMMARY:Meeting ${uid}`,
    ...more,
    'END:VEVENT',
  ].join('\r\n')

export const calendarOf = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  )

export const fileOf = (...event: Parameters<typeof eventOf>) => calendarOf(eventOf(...event))
