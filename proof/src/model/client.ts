// A minimal client that keeps its connections and costs little.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { During } from './model.ts'

export type Answer = During & {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // Answers are not validated yet, so they may be anything.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

const tries = 4

export type Client = ReturnType<typeof newClient>

export function newClient(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const { host, hostname, port } = new URL(origin)

  let refusals = 0

  /** 503 means that nothing was done and the request may be repeated: the machine may be busy. */
  const send = async (...what: Parameters<typeof ask>): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(...what)
      if (answer.status !== 503 || attempt === tries) return answer
      refusals += 1
      await sleep(500 * attempt)
    }
  }

  const ask = (
    method: string,
    path: string,
    headers: Record<string, string>,
    text?: string,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const began = Date.now()
      const json = text === undefined ? {} : { 'content-type': 'application/json' }
      const outgoing = request(
        { agent, hostname, port, method, path, headers: { ...headers, ...json } },
        (incoming) => {
          let received = ''
          incoming.setEncoding('utf8')
          incoming.on('data', (chunk: string) => {
            received += chunk
            // A stream never ends: its headers are enough.
            if (!incoming.headers['content-type']?.startsWith('text/event-stream')) return
            answer()
            outgoing.destroy()
          })
          incoming.on('error', reject)
          incoming.on('end', answer)
          function answer() {
            const { statusCode: status = 0, headers } = incoming
            resolve({
              began,
              ended: Date.now(),
              status,
              headers,
              text: received,
              body: parseJson(received),
            })
          }
        },
      )
      outgoing.on('error', reject)
      outgoing.end(text)
    })

  return { host, send, refusals: () => refusals, close: () => agent.destroy() }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
