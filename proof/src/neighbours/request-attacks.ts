// Attacks by requests: one client and three accounts take more than their share. Each runs until it is stopped; refused
// requests are repeated, as a hostile client does.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, request } from '../kit/connection.ts'
import { type Attack, addressOf, loop, repeat, visitorAddress } from './attack.ts'

export const requestAttacks = {
  /** Not an attack: scripts that send ordinary requests, read the responses and continue at once. */
  honest: ({ port, accounts, signal }, count) => {
    const visits = repeat(4, () =>
      loop(port, visitorAddress, signal, 0, () => request('GET', '/', {}), count),
    )
    const work = accounts.flatMap(({ key, taskIds }, index) =>
      repeat(8, () => loop(port, addressOf(index), signal, 0, ordinary(key, taskIds), count)),
    )
    return Promise.all([...visits, ...work])
  },

  /** Connections that request megabytes and never read (F1). */
  unread: ({ port, accounts, signal, largeFile }, count) => {
    const visits = repeat(300, () =>
      neverRead(port, visitorAddress, signal, request('GET', largeFile, {}), count),
    )
    const reads = accounts.flatMap(({ key, documentId }, index) =>
      repeat(60, () => {
        const text = request('GET', `/api/documents/${documentId}`, { key })
        return neverRead(port, addressOf(index), signal, text, count)
      }),
    )
    return Promise.all([...visits, ...reads])
  },

  /** A window with half a million days, valid and invalid ones (F2). */
  days: ({ port, accounts, signal }, count) => {
    const valid = preference(Array<number>(500_000).fill(1))
    const invalid = preference(Array<number>(500_000).fill(9))
    return Promise.all(
      accounts.flatMap(({ key }, index) =>
        [valid, invalid].map((body) => {
          const text = request('POST', '/api/schedule-preferences', { key, body })
          return loop(port, addressOf(index), signal, 0, () => text, count)
        }),
      ),
    )
  },

  /** A hundred concurrent planner runs of each account (F4). */
  planner: ({ port, accounts, signal }, count) =>
    Promise.all(
      accounts.flatMap(({ key }, index) =>
        repeat(100, () => loop(port, addressOf(index), signal, 0, () => preview(key), count)),
      ),
    ),

  /** Small changes of a large document, and all requests that read them back (F5, A1). */
  documents: ({ port, accounts, signal }, count) =>
    Promise.all(
      accounts.flatMap(({ key, documentId }, index) => {
        const at = addressOf(index)
        let turn = 0
        const rename = () =>
          request('PATCH', `/api/documents/${documentId}`, {
            key,
            body: { title: `Title ${turn++}` },
          })
        const read = (path: string) => () => request('GET', path, { key })
        return [
          loop(port, at, signal, 0, rename, (what) => count(`${what} PATCH`)),
          loop(port, at, signal, 0, read('/api/history?limit=100'), count),
          loop(port, at, signal, 0, read('/api/changes?since=0-0&limit=1000'), count),
          loop(port, at, signal, 0, read('/api/documents'), count),
          ...repeat(3, () =>
            neverRead(port, at, signal, request('GET', '/api/events?since=0-0', { key }), count),
          ),
        ]
      }),
    ),

  /** Webhooks to names whose name server does not answer, and changes to send (F3). */
  names: ({ port, accounts, signal }, count) =>
    Promise.all(
      accounts.map(async ({ key }, index) => {
        const at = addressOf(index)
        const connection = await openConnection(port, at)
        for (const number of [1, 2, 3, 4]) {
          const url = `http://silent-${index}-${number}.test:8080/`
          const { status } = await connection.ask(
            request('POST', '/api/webhooks', { key, body: { url } }),
          )
          count(`${status} webhook`)
        }
        connection.close()
        let turn = 0
        const change = () =>
          request('POST', '/api/labels', { key, body: { name: `label ${turn++}` } })
        await loop(port, at, signal, 200, change, count)
      }),
    ),

  /** Every spelling of a time zone (F8). */
  zones: ({ port, accounts, signal }, count) =>
    Promise.all(
      accounts.map(async ({ key }, index) => {
        let turn = 0
        const spell = () => {
          turn += 1
          return turn % 2 === 1
            ? request('PATCH', '/api/user', { key, body: { timezone: spelling(turn * 3 + index) } })
            : request('POST', '/api/notifications', { key, body: { type: 'morning_summary' } })
        }
        await loop(port, addressOf(index), signal, 0, spell, count)
      }),
    ),
} satisfies Record<string, Attack>

const preference = (day: number[]) => ({
  name: 'Days',
  windows: [{ day, start: '09:00', end: '10:00' }],
})
const preview = (key: string) => request('POST', '/api/planner/preview', { key })

function ordinary(key: string, taskIds: string[]) {
  let turn = 0
  return () => {
    turn += 1
    const id = taskIds[turn % taskIds.length]
    return [
      request('GET', '/api/tasks?limit=20', { key }),
      request('GET', `/api/tasks/${id}`, { key }),
      request('PATCH', `/api/tasks/${id}`, { key, body: { title: `Changed ${turn}` } }),
      request('GET', '/api/labels', { key }),
    ][turn % 4] as string
  }
}

/** One of the 2^27 spellings of the zone, whose name has 27 letters. */
function spelling(number: number) {
  let bit = 0
  return 'America/Argentina/Buenos_Aires'
    .split('')
    .map((letter) =>
      /[a-z]/i.test(letter)
        ? (number >> (bit++ % 27)) & 1
          ? letter.toUpperCase()
          : letter.toLowerCase()
        : letter,
    )
    .join('')
}

/** Sends the request several times, so that the responses exceed the kernel's buffers, and reads nothing. */
async function neverRead(
  port: number,
  localAddress: string,
  signal: AbortSignal,
  text: string,
  count: (what: string) => void,
) {
  while (!signal.aborted) {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    socket.pause()
    const closed = once(socket, 'close')
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.write(text.repeat(6))
    count('opened')
    await closed.catch(() => {})
    await sleep(50)
  }
}
