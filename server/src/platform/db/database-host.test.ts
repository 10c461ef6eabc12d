import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, isIP, type Socket } from 'node:net'
import { lookup } from 'node:dns'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { describe, expect, it } from '../../../test/it.ts'
import { connect } from './database.ts'
import { type LookUpAll, rememberHost } from './database-host.ts'

/** Connects to the test's database by host name, through a relay: a socket path would need no name resolution. */
async function byName(url: string, lookUpAll: LookUpAll) {
  const { port, user, database, host } = new pg.Client(url)
  const sockets: Socket[] = []
  const relay = createServer((near) => {
    const far = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection(port, host)
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const db = connect(
    `postgres://${user}@db.test:${(relay.address() as AddressInfo).port}/${database}`,
    { poolSize: 2, host: rememberHost(lookUpAll) },
  )
  onTestFinished(async () => {
    await db.end()
    for (const socket of sockets) socket.destroy()
    relay.close()
  })
  return db
}

const found = [{ address: '127.0.0.1', family: 4 }]

describe('the host name of the database', () => {
  it('resolves to the last known address when its lookup fails or hangs', async ({ url }) => {
    let answer: 'found' | 'failed' | 'none' = 'found'
    const db = await byName(url, (_host, _options, done) => {
      if (answer === 'found') done(null, found)
      if (answer === 'failed') done(new Error('getaddrinfo EAI_AGAIN'), [])
    })
    await db.query('select 1')

    for (answer of ['failed', 'none'] as const) {
      const results = await Promise.all([
        db.query('select pg_sleep(0.1)'),
        db.query('select pg_sleep(0.1)'),
      ])
      expect(results).toHaveLength(2)
    }
  })

  it('does not make the database count as silent while it is unresolved: later requests succeed', async ({
    url,
  }) => {
    let isKnown = false
    const db = await byName(url, (_host, _options, done) => {
      if (isKnown) done(null, found)
      else setTimeout(() => done(new Error('getaddrinfo EAI_AGAIN'), []), 700)
    })
    // Long enough for the watchdog to probe and to fail as well.
    await Promise.allSettled([db.query('select 1'), db.query('select 2')])
    isKnown = true

    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('name resolution', () => {
  it('is shared by all waiting connections', async () => {
    let asked = 0
    const host = rememberHost((_name, _options, done) => {
      asked += 1
      setTimeout(() => done(new Error('getaddrinfo ENOTFOUND'), []), 50)
    })
    const failed = Array.from({ length: 5 }, () => {
      const socket = host.stream().connect(1, 'db.test')
      return new Promise((resolve) => socket.once('error', resolve))
    })
    expect(host.isUnknown()).toBe(true)
    await Promise.all(failed)
    expect(asked).toBe(1)
    expect(host.isUnknown()).toBe(true)
  })

  it('is not needed for an address or a socket', async () => {
    const host = rememberHost((name, _options, done) => {
      if (isIP(name)) lookup(name, { all: true }, done)
      else throw new Error(`asked for ${name}`)
    })
    for (const target of [[1, '127.0.0.1'], ['/nowhere/.s.PGSQL.1']] as const) {
      const socket = host.stream()
      const failed = new Promise<Error>((resolve) => socket.once('error', resolve))
      ;(socket.connect as (...to: unknown[]) => void)(...target)
      expect((await failed).message).toMatch(/ECONNREFUSED|ENOENT/)
    }
    expect(host.isUnknown()).toBe(false)
  })
})
