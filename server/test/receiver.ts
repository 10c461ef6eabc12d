// A webhook receiver that answers what it is told to, by default with success.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  headers: Record<string, string>
  body: string
  data: { type: string; id: string }
  /** The time of arrival. */
  at: number
}

export async function startReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      received.push({ headers, body, data: JSON.parse(body), at: Date.now() })
      response.writeHead(answers.shift() ?? 204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
