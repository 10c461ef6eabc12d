// Attacks by the bytes and servers that accounts name: calendars, CalDAV servers, webhooks, and the feed that anyone
// may read who knows its address.
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, request } from '../kit/connection.ts'
import {
  type Attack,
  addressOf,
  type AttackOptions,
  loop,
  repeat,
  visitorAddress,
} from './attack.ts'
import {
  answerWith,
  attributes,
  davServer,
  expanding,
  manyZones,
  serveAt,
  silent,
  zippedFile,
  zonesWithoutEnd,
} from './hostile-sites.ts'

const dav = { username: 'ada', password: 'secret' }

export const foreignAttacks = {
  /** Objects of 400 KB with time zones that begin and do not end (R1). */
  zonesWithoutEnd: async (options, count) => {
    const answer = davServer({ objects: 1, etag: '', body: zonesWithoutEnd(400_000) })
    await keepReading(options, count, { people: 3, each: 2, answer, credentials: dav })
  },

  /** 19,900 objects with ETags of 95 KB (R2). */
  largeTags: async (options, count) => {
    const answer = davServer({ objects: 19_900, etag: 'x'.repeat(95_000), body: '' })
    await keepReading(options, count, { people: 3, each: 2, answer, credentials: dav })
  },

  /** Twenty readers of one feed of 2,000 blocks, half of whom have it already (R3). */
  feed: async ({ port, signal, feed }, count) => {
    const connection = await openConnection(port, visitorAddress)
    const { head } = await connection.ask(request('GET', feed))
    connection.close()
    const [, etag = ''] = /\r\netag: (\S+)/i.exec(head) ?? []
    const whole = request('GET', feed)
    const known = request('GET', feed, { headers: { 'if-none-match': etag } })
    await Promise.all(
      [whole, known].flatMap((text) =>
        repeat(10, () => loop(port, visitorAddress, signal, 0, () => text, count)),
      ),
    )
  },

  /** Six accounts with four files each, of dates in 600,000 time zones (R4). */
  dates: async (options, count) => {
    const answer = zippedFile(manyZones(600_000))
    await keepReading(options, count, { people: 6, each: 4, answer })
  },

  /** Twenty accounts that preview 50 MB in a file of 47 KB (R5). */
  previews: async (options, count) => {
    const { port, accounts, signal } = options
    const [url = ''] = await serveAt(signal, 1, answerWith(expanding()))
    const preview = { url }
    await Promise.all(
      accounts.slice(0, 20).map(({ key }, index) => {
        const text = request('POST', '/api/calendars/preview', { key, body: preview })
        return loop(port, addressOf(index), signal, 0, () => text, count)
      }),
    )
  },

  /** CalDAV answers of one element with 390,000 attributes (R6). */
  attributes: async (options, count) => {
    const answer = attributes(390_000)
    await keepReading(options, count, { people: 3, each: 4, answer, credentials: dav })
  },

  /** 25 files of an account, of 40 MB, that differ each time (R7). */
  largeFiles: async (options, count) => {
    let number = 0
    const answer = zippedFile(repeat(1_600_000, () => `DTSTAMP:20260101T${(number += 1)}`))
    await keepReading(options, count, { people: 1, each: 25, answer })
  },

  /** 25 accounts with ten webhooks each, at receivers that do not answer, and changes to send (R8). */
  receivers: async ({ port, accounts, signal }, count) => {
    const urls = await serveAt(signal, 25, silent)
    await Promise.all(
      accounts.slice(0, 25).map(async ({ key }, index) => {
        const connection = await openConnection(port, addressOf(index))
        for (let number = 0; number < 10; number += 1) {
          const body = { url: `${urls[index]}?${number}` }
          const { status } = await connection.ask(request('POST', '/api/webhooks', { key, body }))
          count(`${status} webhook`)
        }
        connection.close()
        let turn = 0
        const change = () =>
          request('POST', '/api/labels', { key, body: { name: `label ${turn++}` } })
        await loop(port, addressOf(index), signal, 500, change, count)
      }),
    )
  },

  /** 22 accounts that look for calendars at a server that does not answer (R9). */
  discovery: async ({ port, accounts, signal }, count) => {
    const urls = await serveAt(signal, 22, silent)
    await Promise.all(
      accounts.slice(0, 22).map(({ key }, index) => {
        const body = { url: urls[index], ...dav }
        const text = request('POST', '/api/calendars/discover', { key, body })
        return loop(port, addressOf(index), signal, 0, () => text, count)
      }),
    )
  },
} satisfies Record<string, Attack>

type Calendars = {
  people: number
  /** How many calendars each of them has. */
  each: number
  answer: Parameters<typeof serveAt>[2]
  credentials?: object
}

/** Adds the calendars, each on a host of its own, and asks for them to be read again and again. */
async function keepReading(
  { port, accounts, signal }: AttackOptions,
  count: (what: string) => void,
  { people, each, answer, credentials }: Calendars,
) {
  const urls = await serveAt(signal, people * each, answer)
  await Promise.all(
    accounts.slice(0, people).map(async ({ key }, index) => {
      const connection = await openConnection(port, addressOf(index))
      const ids: string[] = []
      for (const url of urls.slice(index * each, (index + 1) * each)) {
        const added = request('POST', '/api/calendars', { key, body: { url, ...credentials } })
        const { status, body } = await connection.ask(added)
        count(`${status} calendar`)
        ids.push((JSON.parse(body) as { id: string }).id)
      }
      connection.close()
      await sleep(1000)
      let turn = 0
      const refresh = () =>
        request('POST', `/api/calendars/${ids[turn++ % ids.length]}/refresh`, { key })
      await loop(port, addressOf(index), signal, 500, refresh, count)
    }),
  )
}
