// A name server that resolves some names, does not answer for others, and denies the rest.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export async function startNameServer(known: Record<string, string>) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionIn(query)
    asked.push(name)
    const found = known[name]
    if (found === 'silence') return
    const hasAnswer = found !== undefined && type === 1
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(hasAnswer ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const parts = [head, query.subarray(12, end)]
    if (hasAnswer) {
      const bytes = found.split('.').map(Number)
      parts.push(Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes]))
    }
    socket.send(Buffer.concat(parts), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    asked,
    close: () => void socket.close(),
  }
}

function questionIn(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
