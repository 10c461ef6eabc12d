// A proxy between the service and its database that can fail.
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * `silent` holds all data back until the mode changes, like lost packets that are resent; `half-open` drops all data
 * of existing connections, while new ones pass; `deaf` passes a statement, such as a commit, and cuts the connection
 * before its answer.
 */
export type Mode = 'pass' | 'slow' | 'reset' | 'silent' | 'refuse' | 'half-open' | 'deaf'

type Pair = { near: Socket; far: Socket; isLost: boolean; late: number; held: (() => void)[] }

// The delay in each direction. A write has six round trips, and three writers share a connection.
const slowMs = 25

export async function startProxy(databaseUrl: string) {
  const { host, port, user, database, password } = new pg.Client(databaseUrl)
  const pairs = new Set<Pair>()
  let mode: Mode = 'pass'
  let messages = 0

  const server = createServer((near) => {
    if (mode === 'reset' || mode === 'refuse') return near.resetAndDestroy()
    const far = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection(port, host)
    const pair: Pair = { near, far, isLost: false, late: 0, held: [] }
    pairs.add(pair)
    near.on('data', (chunk) => {
      const isLastWord = mode === 'deaf' && (messages += 1) % 5 === 0
      carry(pair, () => far.write(chunk))
      if (!isLastWord) return
      // The database executes the statement; the connection is cut when its answer arrives.
      pair.isLost = true
      far.once('data', () => {
        near.resetAndDestroy()
        far.destroy()
      })
    })
    far.on('data', (chunk) => carry(pair, () => near.write(chunk)))
    near.on('close', () => carry(pair, () => far.destroy()))
    far.on('close', () => {
      carry(pair, () => near.destroy())
      pairs.delete(pair)
    })
    for (const socket of [near, far]) socket.on('error', () => {})
    return undefined
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = (server.address() as AddressInfo).port

  function carry(pair: Pair, deliver: () => void) {
    if (pair.isLost) return
    if (mode === 'silent' || pair.held.length > 0) pair.held.push(deliver)
    else if (mode === 'slow' || pair.late > 0) {
      pair.late += 1 // later data is delayed as well, to keep the order
      setTimeout(() => {
        pair.late -= 1
        deliver()
      }, slowMs)
    } else deliver()
  }

  return {
    url: `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${at}/${database}`,
    async set(wanted: Mode) {
      if (mode === 'refuse') {
        server.listen(at, '127.0.0.1')
        await once(server, 'listening')
      }
      mode = wanted
      for (const pair of pairs) {
        if (wanted === 'half-open') pair.isLost = true
        if (wanted === 'reset' || wanted === 'refuse') {
          pair.near.resetAndDestroy()
          pair.far.destroy()
        }
        if (wanted === 'pass') for (const deliver of pair.held.splice(0)) deliver()
      }
      if (wanted === 'refuse') server.close()
    },
    leave() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      server.close()
    },
  }
}
