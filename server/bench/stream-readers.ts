// Reads thousands of event streams cheaply: each reader is a bare socket that keeps no data.
import { once } from 'node:events'
import { connect } from 'node:net'

export type Arrival = (name: string, at: number) => void

/** Opens one stream for each key, 50 at a time, and reports every label that arrives. */
export async function openReaders(origin: string, keys: string[], arrived: Arrival) {
  const { port } = new URL(origin)
  const sockets: { destroy(): void }[] = []
  for (let from = 0; from < keys.length; from += 50) {
    const some = keys.slice(from, from + 50)
    sockets.push(...(await Promise.all(some.map((key) => read(Number(port), key, arrived)))))
  }
  return () => sockets.forEach((socket) => socket.destroy())
}

async function read(port: number, key: string, arrived: Arrival) {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setEncoding('latin1')
  let head = ''
  const opened = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: string) => {
      if (!head.includes('\r\n\r\n')) {
        head += chunk
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 200)))
        if (head.includes('\r\n\r\n')) resolve()
      }
      const at = performance.now()
      for (const [, name = ''] of chunk.matchAll(/"name": ?"(bench \d+)"/g)) arrived(name, at)
    })
    socket.on('error', reject)
  })
  await once(socket, 'connect')
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  )
  await opened
  return socket
}
