// Sends one message to a URL chosen by a user. The check applies to the address that is connected to, which
// is resolved once, so DNS rebinding gains nothing. Redirects are not followed, since they would choose
// another address.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { addressRefused, type ReceiverAddresses } from './receiver-addresses.ts'
import { NameNotFound, NameServerSilent, type ResolveName } from './resolve-name.ts'

const patienceMs = 10_000
const mostRead = 64 * 1024

export type Answer = { status: number } | { error: string }
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Answer>

class AddressRefused extends Error {}

export function postOutside(addresses: ReceiverAddresses, resolveName: ResolveName) {
  async function allowedAddressesOf(host: string) {
    const { ownName } = addresses
    const [found, own] = await Promise.all([
      resolveName(host),
      ownName === undefined ? [] : resolveName(ownName).catch(() => []),
    ])
    const allowed = found.filter((address) => addresses.isAllowed(address, own))
    if (allowed.length === 0) throw new AddressRefused()
    return allowed.map((address) => ({ address, family: isIP(address) }))
  }
  const lookUp = callbackify(allowedAddressesOf)
  const lookup: LookupFunction = (host, options, done) =>
    lookUp(host, (error, found) => {
      if (error) return done(error, [])
      if (options.all) return done(null, found)
      const [first] = found
      done(null, first?.address ?? '', first?.family)
    })
  // One message at a time per user, so receivers that share a host need no separate limit.
  const settings = { keepAlive: true, maxFreeSockets: 64, lookup }
  const agents = { 'http:': new HttpAgent(settings), 'https:': new HttpsAgent(settings) }

  const post: Post = (url, headers, body) =>
    new Promise((resolve) => {
      const target = new URL(url)
      // A literal address is not resolved and would bypass the check in `lookup`.
      const refusal = addresses.refusalOf(target)
      if (refusal !== undefined) return resolve({ error: refusal })
      const isHttps = target.protocol === 'https:'
      const send = isHttps ? httpsRequest : httpRequest
      const request = send(target, {
        method: 'POST',
        agent: agents[isHttps ? 'https:' : 'http:'],
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(patienceMs),
      })
      request.on('error', (error) => resolve({ error: describe(error) }))
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

/** Fixed texts: the system's own would reveal resolvers, addresses and ports. */
function describe(error: Error & { code?: string }) {
  if (error instanceof AddressRefused) return addressRefused
  if (error instanceof NameNotFound) return 'The name of the receiver is not known'
  if (error instanceof NameServerSilent) return 'The name server does not answer'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `No answer within ${patienceMs / 1000} s`
  }
  return /CERT|TLS|SSL|SIGNED|ISSUER/.test(error.code ?? '')
    ? 'The certificate of the receiver is not accepted'
    : 'No connection to the receiver'
}
