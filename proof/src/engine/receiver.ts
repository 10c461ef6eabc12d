// A failing webhook receiver: it refuses, or disconnects. Each webhook has its own path.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '../kit/random.ts'

export type Attempt = { id: string; event: string; accepted: boolean }

type Manner = {
  random: Random
  /** The share of deliveries that it refuses. */
  failing: number
  /** The longest time it takes to answer. */
  slowMs?: number
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export async function startReceiver({ random, failing, slowMs = 0 }: Manner) {
  const attempts = new Map<string, Attempt[]>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const accepted = !random.chance(failing)
      const path = request.url ?? ''
      const { id: event } = JSON.parse(body) as { id: string }
      const mine = attempts.get(path) ?? []
      attempts.set(path, mine)
      mine.push({ id: String(request.headers['webhook-id']), event, accepted })
      const refusal = random.chance(0.5) ? random.pick([400, 429, 500, 503]) : undefined
      setTimeout(
        () => {
          if (accepted) response.writeHead(204).end()
          else if (refusal) response.writeHead(refusal).end()
          else response.destroy()
        },
        random.between(0, slowMs),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (path: string) => `http://127.0.0.1:${port}${path}`,
    attemptsAt: (path: string) => attempts.get(path) ?? [],
    count() {
      const all = [...attempts.values()].flat()
      return { attempts: all.length, accepted: all.filter(({ accepted }) => accepted).length }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Checks that every event was accepted; that each attempt is for the same event as the previous attempt or, if that
 * was accepted, for the next event; and that each event has one webhook-id, which no other event has.
 */
export function wrongDeliveries(path: string, attempts: Attempt[], events: string[]) {
  const lines: string[] = []
  const ids = new Map<string, string>()
  const accepted = new Set<string>()
  let place = 0
  let wasAccepted = false
  for (const attempt of attempts) {
    const at = events.indexOf(attempt.event, Math.max(0, place - 1))
    if (at !== place && !(wasAccepted && at === place + 1)) {
      lines.push(`${path} was sent ${attempt.event} where ${events[place]} was to come`)
    }
    const known = ids.get(attempt.event) ?? attempt.id
    if (known !== attempt.id)
      lines.push(`${path}: ${attempt.event} came as ${known}, ${attempt.id}`)
    ids.set(attempt.event, attempt.id)
    if (attempt.accepted) accepted.add(attempt.event)
    place = at
    wasAccepted = attempt.accepted
  }
  if (new Set(ids.values()).size !== ids.size) lines.push(`${path}: two events have one webhook-id`)
  const lost = events.filter((event) => !accepted.has(event))
  if (lost.length > 0) lines.push(`${path} lost ${lost.length} events, the first ${lost[0]}`)
  return lines
}
