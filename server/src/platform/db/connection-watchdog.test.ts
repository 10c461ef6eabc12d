import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { describe, expect, it } from '../../../test/it.ts'
import { connect } from './database.ts'

const unavailable = { status: 503, headers: { 'retry-after': '1' } }

/** A connection to the database that can be cut without notice to either side. */
async function line(url: string, poolSize = 2) {
  const { host, port, user, database } = new pg.Client(url)
  const pairs: [Socket, Socket][] = []
  let isCut = false
  const server = createServer((near) => {
    const far = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection(port, host)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).on('close', () => near.destroy())
    far.pipe(near).on('close', () => far.destroy())
    pairs.push([near, far])
    if (isCut) hold([near, far])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hold = ([near, far]: [Socket, Socket]) => {
    near.unpipe(far).pause()
    far.unpipe(near).pause()
  }
  const db = connect(
    `postgres://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    { poolSize },
  )
  onTestFinished(async () => {
    for (const socket of pairs.flat()) socket.destroy()
    server.close()
    await db.end()
  })
  return {
    db,
    cut: (which: 'old' | 'new' | 'all') => {
      isCut = which !== 'old'
      if (which !== 'new') pairs.forEach(hold)
    },
    mend: () => {
      isCut = false
      for (const [near, far] of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
    },
  }
}

const expectUnavailable = (work: Promise<unknown>) =>
  expect(work).rejects.toMatchObject(unavailable)

describe('a database that no longer answers', () => {
  it('503: waiting requests, and later ones at once, until it is back', async ({ url }) => {
    const { db, cut, mend } = await line(url)
    await db.query('select 1')

    cut('all')
    await Promise.all(
      ['select 1', 'select 2', 'select 3', 'select 4'].map((text) =>
        expectUnavailable(db.query(text)),
      ),
    )
    const later = expectUnavailable(db.query('select 1')).then(() => 'refused')
    const first = await Promise.race([later, nextTurn('waiting')])
    mend()

    expect(first).toBe('refused')
    await expect
      .poll(() =>
        db.query('select 1 as one').then(
          ({ rows }) => rows,
          () => [],
        ),
      )
      .toEqual([{ one: 1 }])
  })

  it('503: within 2 s on a lost connection, although new ones can be opened; its locks are released', async ({
    url,
    db: other,
    ada,
  }) => {
    const { db, cut } = await line(url)
    const change = `update users set display_name = 'Held' where id = '${ada.id}'`

    await expectUnavailable(
      db.transaction(async (transaction) => {
        await transaction.query(change)
        cut('old')
        await transaction.query('select 1')
      }),
    )

    await expect
      .poll(() =>
        other
          .transaction(async (transaction) => {
            await transaction.query(`set local lock_timeout = '50ms'`)
            await transaction.query(change)
            return 'free'
          })
          .catch(() => 'held'),
      )
      .toBe('free')
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('releases a lock that five lost connections have waited for in turn', async ({
    url,
    db: other,
    ada,
  }) => {
    const { db, cut } = await line(url, 5)
    const change = `update users set display_name = 'Held' where id = '${ada.id}'`
    const waiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const { promise: isCut, resolve: goOn } = Promise.withResolvers<void>()
    const lost = Array.from({ length: 5 }, () =>
      expectUnavailable(
        db.transaction(async (transaction) => {
          await transaction.query(change)
          await isCut
          await transaction.query('select 1')
        }),
      ),
    )
    await expect.poll(async () => (await other.query(waiting)).rows.length).toBe(4)
    cut('old')
    goOn()

    await other.query(change)

    await Promise.all(lost)
  })

  it('is told apart from a slow one: a long statement or lock wait is not interrupted', async ({
    url,
    ada,
  }) => {
    const { db } = await line(url)
    const lock = `select from users where id = '${ada.id}' for update`
    const holder = db.transaction(async (transaction) => {
      await transaction.query(lock)
      await transaction.query('select pg_sleep(1.5)')
      return 'held'
    })
    await expect.poll(() => db.load().idle).toBe(0)

    expect(await Promise.all([holder, db.query(lock).then(() => 'had')])).toEqual(['held', 'had'])
  })

  it('is told apart from a pause of the whole machine', async ({ url }) => {
    const { db, cut, mend } = await line(url)
    await db.query('select 1')
    cut('new')
    const long = db.query('select pg_sleep(2)')
    await sleep(800) // The probe waits for its connection.

    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    mend()

    expect((await long).rows).toHaveLength(1)
  })

  it('is told apart from a database that answers statements while new connections are slow', async ({
    url,
  }) => {
    const { db, cut } = await line(url)
    await Promise.all([db.query('select 1'), db.query('select 2')])
    cut('new')
    const query = { isOver: false }

    const long = db.query('select pg_sleep(1.5)').finally(() => (query.isOver = true))
    while (!query.isOver) await db.query('select pg_sleep(0.05)')

    expect((await long).rows).toHaveLength(1)
  })
})
