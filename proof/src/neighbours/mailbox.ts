// A receiver of the bystander's webhooks, and the name server that the service uses meanwhile, which never
// answers.
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const giveUpMs = 20_000

export async function openMailbox() {
  const names = createSocket('udp4')
  names.bind(0, '127.0.0.1')
  const arrived = new Set<string>()
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      arrived.add((JSON.parse(text) as { recordId: string }).recordId)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await Promise.all([once(names, 'listening'), once(receiver, 'listening')])
  const { port } = receiver.address() as AddressInfo

  async function arrivalOf(id: string, began: number) {
    while (!arrived.has(id)) {
      if (performance.now() - began > giveUpMs) return Infinity
      await sleep(20)
    }
    return performance.now() - began
  }

  return {
    nameServer: `127.0.0.1:${names.address().port}`,
    subscribe: (origin: string, key: string) =>
      post(`${origin}/api/webhooks`, key, { url: `http://127.0.0.1:${port}/`, types: ['label'] }),
    /** Makes a change every second until told to stop, and returns the longest time until one was delivered. */
    async deliver(origin: string, key: string, until: AbortSignal) {
      const times: Promise<number>[] = []
      while (!until.aborted) {
        const began = performance.now()
        // Labels of earlier attacks are still there.
        const name = `To be delivered ${randomUUID()}`
        const id = await post(`${origin}/api/labels`, key, { name })
        times.push(arrivalOf(id, began))
        await sleep(1000, undefined, { signal: until }).catch(() => {})
      }
      return Math.max(...(await Promise.all(times)))
    },
    close() {
      names.close()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

async function post(url: string, key: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id, error } = (await answer.json()) as { id: string; error?: string }
  if (!answer.ok) throw new Error(`${url} is answered ${answer.status}: ${error}`)
  return id
}
