// Node accepts one connection per listening socket in each turn of its event loop. Under load a turn takes tens
// of milliseconds, so a client that opens hundreds of connections would delay those of others by seconds. With
// several sockets on the same port (SO_REUSEPORT), several connections are accepted in each turn.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type ListenOptions, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

const socketsPerAddress = 16
/** Other systems do not distribute connections over the sockets of a port. */
const canShare = process.platform === 'linux'

export type Listener = {
  /** Accepts no more connections, and resolves when the last open one has ended. */
  close: () => Promise<unknown>
}

export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listener> {
  const { server } = app
  if (!canShare) {
    await app.listen({ host, port })
    return { close: () => closeServers([server]) }
  }
  if (port !== 0) await requireUnused({ host, port })
  const shared = { host, port, reusePort: true }
  await app.listen(shared)
  const others = await Promise.all(
    boundTo(app).flatMap(({ address, port: bound }) =>
      Array.from({ length: socketsPerAddress - 1 }, async () => {
        const other = forwardTo(server)
        await start(other, { host: address, port: bound, reusePort: true })
        return other
      }),
    ),
  )
  return { close: () => closeServers([server, ...others]) }
}

/** The addresses that the app listens on; a host name may have more than one. */
const boundTo = (app: FastifyInstance) =>
  app.addresses().filter((address) => typeof address !== 'string')

/** Rejects if the port is in use: a socket that shares its port would also share it with another instance. */
async function requireUnused(address: ListenOptions) {
  const probe = createServer()
  await start(probe, address)
  await closeServers([probe])
}

async function start(server: Server, options: ListenOptions) {
  server.listen(options)
  await once(server, 'listening') // rejects if the server emits an error
}

/** A server that passes its connections on to `server`, with the socket options of Node's HTTP server. */
const forwardTo = (server: HttpServer) =>
  createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket)
  })

/** The close method of HTTP servers would disconnect idle clients at once, so that of net.Server is called. */
const closeServers = (servers: Server[]) =>
  Promise.all(
    servers.map((server) => {
      const closed = once(server, 'close')
      Server.prototype.close.call(server)
      return closed
    }),
  )
