// Requests to URLs chosen by a user. Every redirect is checked like the URL itself. Bodies are returned as they are
// received: a reader decompresses them (`platform/readers/`).
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createOutboundAgents, describeFault } from './outbound-agents.ts'
import type { OutboundAddresses } from './outbound-addresses.ts'
import type { ResolveName } from './resolve-name.ts'
import type { Holding } from './share-memory.ts'

const patienceMs = 30_000
const mostRedirects = 5

/** A body as it was received. */
export type Content = {
  body: Buffer
  /** Its `Content-Encoding`; null if it is not compressed. */
  encoding: string | null
}

/** What is done with the bytes of a body as they are received. */
export type Receiving = {
  /** Counts the bytes until they have been read. */
  holding?: Holding
  /** Awaited before a body is received. */
  beforeBody?: () => Promise<unknown>
}

export type Wanted = Receiving & {
  accept: string
  mostBytes: number
  /** The validators of the copy that we have: the result is `unchanged` if the copy is current. */
  etag?: string | null
  lastModified?: string | null
  /** Ends the request before its time is up. */
  signal?: AbortSignal
}

export type Fetched =
  | { kind: 'unchanged' }
  | { kind: 'body'; content: Content; etag: string | null; lastModified: string | null }
  | {
      kind: 'failed'
      error: string
      status?: number
      retryAfterSeconds?: number
      isTooLarge?: boolean
    }

export type Get = (url: string, wanted: Wanted) => Promise<Fetched>

export type OutboundRequest = Receiving & {
  method: string
  headers: Record<string, string>
  body: string
  mostBytes: number
  signal?: AbortSignal
}

export type OutboundResponse =
  | {
      kind: 'answered'
      status: number
      content: Content
      location: string | null
      etag: string | null
      retryAfterSeconds?: number
    }
  | { kind: 'failed'; error: string; isTooLarge?: boolean }

/** Redirects are not followed: the headers may hold a password. */
export type Request = (url: string, request: OutboundRequest) => Promise<OutboundResponse>

/** Texts that a user reads. */
const tooSlow = 'The server is too slow'
const tooManyRedirects = 'The server redirects too often'
const redirectRefused = 'The server redirects to an address that is not allowed'

export function getOutside(addresses: OutboundAddresses, resolveName: ResolveName) {
  const agents = createOutboundAgents(addresses, resolveName)

  const get: Get = async (url, wanted) => {
    const timeUp = AbortSignal.timeout(patienceMs)
    const signal = wanted.signal ? AbortSignal.any([timeUp, wanted.signal]) : timeUp
    let target = new URL(url)
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const refusal = addresses.refusalOf(target)
      if (refusal !== undefined) return failed(hops === 0 ? refusal : redirectRefused)
      try {
        const response = await send(target, wanted, signal)
        const next = redirectOf(response, target)
        if (next === undefined) return await read(response, wanted)
        response.destroy()
        if (next === 'refused') return failed(redirectRefused)
        target = next
      } catch (error) {
        if (wanted.signal?.aborted) return failed(tooSlow)
        return failed(describeFault(error as Error, 'server', patienceMs))
      }
    }
    return failed(tooManyRedirects)
  }

  const request: Request = async (url, { method, headers, body, signal, ...limits }) => {
    const target = new URL(url)
    const refusal = addresses.refusalOf(target)
    if (refusal !== undefined) return failed(refusal)
    const timeUp = AbortSignal.timeout(patienceMs)
    try {
      const ending = signal ? AbortSignal.any([timeUp, signal]) : timeUp
      const response = await start(target, { method, headers, signal: ending }, body)
      const content = await readBody(response, limits)
      if (content === undefined) return tooLarge(limits)
      const seconds = Number(response.headers['retry-after'])
      return {
        kind: 'answered',
        status: response.statusCode ?? 0,
        content,
        location: response.headers.location ?? null,
        etag: validatorIn(response.headers.etag),
        ...(seconds > 0 && { retryAfterSeconds: seconds }),
      }
    } catch (error) {
      if (signal?.aborted) return failed(tooSlow)
      return failed(describeFault(error as Error, 'server', patienceMs))
    }
  }

  function send(target: URL, { accept, etag, lastModified }: Wanted, signal: AbortSignal) {
    const headers = {
      accept,
      ...(etag && { 'if-none-match': etag }),
      ...(lastModified && { 'if-modified-since': lastModified }),
    }
    return start(target, { method: 'GET', headers, signal })
  }

  async function start(
    target: URL,
    { headers, ...options }: { method: string; headers: object; signal: AbortSignal },
    body?: string,
  ) {
    const agent = await agents.of(target)
    for (;;) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
        agent,
        headers: {
          'accept-encoding': 'gzip, br, deflate',
          'user-agent': 'Daywright',
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
        ...options,
      })
      // Also needed after the response has begun: an error without a listener would end the process.
      request.on('error', reject)
      request.once('response', resolve)
      request.end(body)
      try {
        return await promise
      } catch (error) {
        // Ends with a new connection at the latest.
        if (!isOutdated(request, error as Error)) throw error
      }
    }
  }

  return { get, request, close: agents.close }
}

const idempotent = new Set(['GET', 'PROPFIND', 'REPORT', 'PUT', 'DELETE'])

/**
 * Whether the server closed an idle connection just as it was used again. A client may repeat an idempotent request
 * then (RFC 9112, section 9.3.1).
 */
const isOutdated = (
  { reusedSocket, method }: ClientRequest,
  { code = '' }: Error & { code?: string },
) => reusedSocket && idempotent.has(method) && ['ECONNRESET', 'EPIPE'].includes(code)

const failed = (error: string, more: Partial<Extract<Fetched, { kind: 'failed' }>> = {}) =>
  ({ ...more, kind: 'failed', error }) as const

/** The target of a redirect; refused if it leads from https to http, or to a URL with a password. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL) {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  const to = URL.parse(headers.location, from.href)
  if (!to || !/^https?:$/.test(to.protocol) || to.username || to.password) return 'refused'
  if (from.protocol === 'https:' && to.protocol === 'http:') return 'refused'
  return to
}

async function read(response: IncomingMessage, wanted: Wanted): Promise<Fetched> {
  const { statusCode: status = 0, headers } = response
  if (status !== 200) {
    response.destroy()
    if (status === 304) return { kind: 'unchanged' }
    const seconds = Number(headers['retry-after'])
    return failed(`The server answered ${status}`, {
      status,
      ...(seconds > 0 && { retryAfterSeconds: seconds }),
    })
  }
  const content = await readBody(response, wanted)
  if (content === undefined) return tooLarge(wanted)
  return {
    kind: 'body',
    content,
    etag: validatorIn(headers.etag),
    lastModified: validatorIn(headers['last-modified']),
  }
}

const longestValidator = 1000

/** Validators are stored. Without a validator, the file is read again. */
const validatorIn = (header: string | undefined) =>
  header !== undefined && header.length <= longestValidator ? header : null

type Limits = Pick<Wanted, 'mostBytes' | keyof Receiving>

const tooLarge = ({ mostBytes }: Limits) =>
  failed(`The file is larger than ${mostBytes / 1_000_000} MB`, { isTooLarge: true })

/** Reads the body; returns undefined if it is larger than `mostBytes`. */
async function readBody(
  response: IncomingMessage,
  { mostBytes, holding, beforeBody }: Limits,
): Promise<Content | undefined> {
  await beforeBody?.()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop destroys the response.
    if (bytes > mostBytes) return undefined
    holding?.add(chunk.length)
    holding?.signal.throwIfAborted()
    chunks.push(chunk)
  }
  return {
    body: Buffer.concat(chunks),
    encoding: response.headers['content-encoding']?.toLowerCase() ?? null,
  }
}
