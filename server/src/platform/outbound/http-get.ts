// Requests to URLs chosen by a user. Every redirect is checked like the URL itself, and the bytes are counted after
// decompression.
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { createOutboundAgents, describeFault } from './outbound-agents.ts'
import type { OutboundAddresses } from './outbound-addresses.ts'
import type { ResolveName } from './resolve-name.ts'

const patienceMs = 30_000
const mostRedirects = 5

export type Wanted = {
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
  | { kind: 'body'; body: Buffer; etag: string | null; lastModified: string | null }
  | { kind: 'failed'; error: string; status?: number; retryAfterSeconds?: number }

export type Get = (url: string, wanted: Wanted) => Promise<Fetched>

export type OutboundRequest = {
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
      body: Buffer
      location: string | null
      etag: string | null
      retryAfterSeconds?: number
    }
  | { kind: 'failed'; error: string }

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

  const request: Request = async (url, { method, headers, body, mostBytes, signal }) => {
    const target = new URL(url)
    const refusal = addresses.refusalOf(target)
    if (refusal !== undefined) return failed(refusal)
    const timeUp = AbortSignal.timeout(patienceMs)
    try {
      const ending = signal ? AbortSignal.any([timeUp, signal]) : timeUp
      const response = await start(target, { method, headers, signal: ending }, body)
      const answer = await readBody(response, mostBytes)
      if (answer === undefined) return tooLarge(mostBytes)
      const seconds = Number(response.headers['retry-after'])
      return {
        kind: 'answered',
        status: response.statusCode ?? 0,
        body: answer,
        location: response.headers.location ?? null,
        etag: response.headers.etag ?? null,
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
    for (;;) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
        agent: agents.of(target),
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

const failed = (error: string, more: { status?: number; retryAfterSeconds?: number } = {}) =>
  ({ kind: 'failed', error, ...more }) as const

/** The target of a redirect; refused if it leads from https to http, or to a URL with a password. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL) {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  const to = URL.parse(headers.location, from.href)
  if (!to || !/^https?:$/.test(to.protocol) || to.username || to.password) return 'refused'
  if (from.protocol === 'https:' && to.protocol === 'http:') return 'refused'
  return to
}

async function read(response: IncomingMessage, { mostBytes }: Wanted): Promise<Fetched> {
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
  const body = await readBody(response, mostBytes)
  if (body === undefined) return tooLarge(mostBytes)
  return {
    kind: 'body',
    body,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
  }
}

const tooLarge = (mostBytes: number) =>
  failed(`The file is larger than ${mostBytes / 1_000_000} MB`)

/** Reads the body; returns undefined if it is larger than `mostBytes`. */
async function readBody(response: IncomingMessage, mostBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of decompress(response) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop destroys the streams.
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decompressors = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

function decompress(response: IncomingMessage): Readable {
  const create = decompressors.get(response.headers['content-encoding']?.toLowerCase() ?? '')
  if (!create) return response
  const output = create()
  // `pipe` alone would not end the output when the connection breaks.
  response.once('error', (error) => output.destroy(error))
  response.once('aborted', () => output.destroy(new Error('aborted')))
  output.once('close', () => response.destroy())
  return response.pipe(output)
}
