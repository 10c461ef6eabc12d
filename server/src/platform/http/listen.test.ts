import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from './listen.ts'

async function serve() {
  const app = fastify()
  app.get('/', () => 'hello')
  const listener = await listen(app, '127.0.0.1', 0)
  onTestFinished(() => app.close())
  return { app, listener, port: (app.server.address() as AddressInfo).port }
}

async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

const get = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text()

describe('listen', () => {
  it.runIf(process.platform === 'linux')(
    'accepts several connections in one turn of the event loop',
    async () => {
      const { app, port } = await serve()
      const perTurn: number[] = []
      let accepted = 0
      app.server.on('connection', () => (accepted += 1))

      const opening = Promise.all(Array.from({ length: 64 }, () => open(port)))
      for (let total = 0; total < 64; total += accepted) {
        accepted = 0
        await turn()
        perTurn.push(accepted)
      }
      await opening

      expect(Math.max(...perTurn)).toBeGreaterThan(2)
    },
  )

  it('answers on every connection', async () => {
    const { port } = await serve()

    expect(new Set(await Promise.all(Array.from({ length: 40 }, () => get(port))))).toEqual(
      new Set(['hello']),
    )
  })

  it('refuses a port that another instance uses', async () => {
    const { port } = await serve()
    const second = fastify()

    await expect(listen(second, '127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('accepts no connection after it was closed, and resolves once the last one has ended', async () => {
    const { app, listener, port } = await serve()
    const accepted = Promise.withResolvers<void>()
    let count = 0
    app.server.on('connection', () => (count += 1) === 40 && accepted.resolve())
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(port)))
    await accepted.promise
    let isClosed = false

    const closing = listener.close().then(() => (isClosed = true))

    await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(isClosed).toBe(false)
    for (const socket of sockets) socket.destroy()
    await closing
  })
})
