// Sends one message to a URL chosen by a user. The check applies to the address that is connected to, which
// is resolved once, so DNS rebinding gains nothing. Redirects are not followed, since they would choose
// another address.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createOutboundAgents, describeFault } from '../../platform/outbound/outbound-agents.ts'
import type { OutboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import type { ResolveName } from '../../platform/outbound/resolve-name.ts'

const patienceMs = 10_000
const mostRead = 64 * 1024

export type Answer = { status: number } | { error: string }
export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  aborted?: AbortSignal,
) => Promise<Answer>

export function postOutside(addresses: OutboundAddresses, resolveName: ResolveName) {
  // One message at a time per user, so receivers that share a host need no separate limit.
  const agents = createOutboundAgents(addresses, resolveName)

  const post: Post = async (url, headers, body, aborted) => {
    const target = new URL(url)
    // A literal address is not resolved and would bypass the check in `lookup`.
    const refusal = addresses.refusalOf(target)
    if (refusal !== undefined) return { error: refusal }
    const timeUp = AbortSignal.timeout(patienceMs)
    const signal = aborted ? AbortSignal.any([timeUp, aborted]) : timeUp
    try {
      return await send(target, headers, body, signal)
    } catch (error) {
      return { error: describeFault(error as Error, 'receiver', patienceMs) }
    }
  }

  async function send(
    target: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ) {
    const agent = await agents.of(target)
    return new Promise<Answer>((resolve, reject) => {
      const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      })
      request.on('error', reject)
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
  }

  return { post, close: agents.close }
}
