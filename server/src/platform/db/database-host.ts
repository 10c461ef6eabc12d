// Resolves the database's host name. getaddrinfo runs on libuv's small thread pool, which password hashing
// uses as well; when it is slow or fails, the last known address is used.
import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { type LookupFunction, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'

const patienceMs = 100

export type LookUpAll = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

export function rememberHost(lookUpAll: LookUpAll = lookUp) {
  let known: LookupAddress[] | undefined
  let asking: Promise<LookupAddress[]> | undefined
  let hasFailed = false

  /** Resolves the name, with one lookup at a time however many connections are opened. */
  function ask(host: string) {
    asking ??= new Promise<LookupAddress[]>((resolve, reject) => {
      lookUpAll(host, { all: true }, (error, found) => {
        asking = undefined
        hasFailed = error !== null
        if (error) return reject(error)
        known = found
        resolve(found)
      })
    })
    return asking
  }

  async function addressesOf(host: string) {
    const answer = ask(host)
    const former = known
    if (!former) return answer
    return Promise.race([answer.catch(() => former), sleep(patienceMs, former, { ref: false })])
  }

  const lookUpOnce = callbackify(addressesOf)
  const lookup: LookupFunction = (host, options, done) =>
    lookUpOnce(host, (error, found) => {
      if (error) return done(error, [])
      if (options.all) return done(null, found)
      const [first] = found
      done(null, first?.address ?? '', first?.family)
    })

  return {
    /** True while the address is unknown: a failure to connect then says nothing about the database. */
    isUnknown: () => known === undefined && (asking !== undefined || hasFailed),

    /** A socket for pg, which connects to a socket path or to a host and port. */
    stream: () => {
      const socket = new Socket()
      const connect = socket.connect.bind(socket) as (...target: unknown[]) => Socket
      const connectByName = (target: unknown, host?: unknown) =>
        typeof host === 'string' ? connect({ port: target, host, lookup }) : connect(target)
      return Object.assign(socket, { connect: connectByName })
    },
  }
}

export type DatabaseHost = ReturnType<typeof rememberHost>
