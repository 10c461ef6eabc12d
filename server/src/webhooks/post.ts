// Sends one message to a receiver of a user's choosing. Where it goes is decided by the address that
// is connected to, looked up once: a name that means something else a moment later gains nothing.
// Redirects are not followed, since they would choose anew.
import { lookup } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './is-private.ts'

const patienceMs = 10_000
const mostRead = 64 * 1024

export type Answer = { status: number } | { error: string }
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Answer>

export function postOutside({ allowPrivate }: { allowPrivate: boolean }) {
  const publicLookup: LookupFunction = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [open] = addresses.filter(({ address }) => allowPrivate || !isPrivate(address))
      if (!open) return done(refused(), '')
      if (options.all) done(null, [open])
      else done(null, open.address, open.family)
    })
  const settings = { keepAlive: true, maxSockets: 4, maxFreeSockets: 64, lookup: publicLookup }
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) }

  const post: Post = (url, headers, body) =>
    new Promise((resolve) => {
      const target = new URL(url)
      const literal = target.hostname.replace(/^\[(.*)\]$/, '$1')
      // An address needs no look-up, and so would pass by the check in it.
      if (!allowPrivate && isIP(literal) && isPrivate(literal)) {
        return resolve({ error: refused().message })
      }
      const isHttps = target.protocol === 'https:'
      const send = isHttps ? httpsRequest : httpRequest
      const request = send(target, {
        method: 'POST',
        agent: agents[isHttps ? 'https:' : 'http:'],
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(patienceMs),
      })
      request.on('error', (error) => resolve({ error: nameOf(error) }))
      request.on('response', (response) => {
        let read = 0
        response.on('data', (chunk: Buffer) => {
          read += chunk.length
          if (read > mostRead) response.destroy()
        })
        response.on('error', () => {})
        response.on('close', () => resolve({ status: response.statusCode ?? 0 }))
      })
      request.end(body)
    })

  return {
    post,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const refused = () => new Error('The address is private: the operator has not allowed it')
const nameOf = (error: Error) =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `No answer within ${patienceMs / 1000} s`
    : error.message.slice(0, 200)
