// One call of the API: where it goes, what it carries, and when it is sent again.
import { Id, nobody, Success } from '@daywright/contract'
import type { z } from 'zod'
import { cookieJar } from './cookie-jar.ts'
import { readRefusal, type Refusal } from './refusal.ts'

export type ClientOptions = {
  /** Where the service is: `https://planner.example.com`; in a browser, `''` is the page's own. */
  baseUrl: string
  /** Without a key, the caller is whoever is signed in. */
  apiKey?: string
  /** A session to begin with, outside a browser. Sign-in sets it as well. */
  cookie?: string
  headers?: Record<string, string>
  /** Ends every call of this client. A client costs little: make one for what ends together. */
  signal?: AbortSignal
  /** How often a call is sent at most, where no harm can come of it. */
  tries?: number
  /** Whether the service refuses fields and filters that it does not know; it does unless false. */
  strict?: boolean
  fetch?: typeof fetch
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** What a body or a filter may hold: as the contract has it, and a `Date` for every timestamp. */
export type Sent<Schema extends z.ZodType> = Dated<z.input<Schema>, z.output<Schema>>
type Dated<In, Out> = {
  [Field in keyof In]: Field extends keyof Out
    ? In[Field] | (Date extends Out[Field] ? Date : never)
    : In[Field]
}

/** A path with ids. A malformed id names nothing (404), rather than another path: `../labels`. */
export const at = (path: TemplateStringsArray, ...ids: string[]) =>
  String.raw(path, ...ids.map((id) => (Id.safeParse(id).success ? id : nobody)))

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Call = ReturnType<typeof connect>

const longestWaitSeconds = 30

export function connect(options: ClientOptions) {
  const { baseUrl, apiKey, signal, tries = 2, fetch: send = fetch, sleep = wait } = options
  const jar = cookieJar(options.cookie)
  const preference: Record<string, string> =
    options.strict === false ? {} : { prefer: 'handling=strict' }

  async function call<Answer extends z.ZodType>(
    answer: Answer,
    method: Method,
    path: string,
    body?: unknown,
    onResponse?: (response: Response) => void,
  ): Promise<z.output<Answer>> {
    const request = {
      method,
      headers: { ...preference, ...options.headers, ...identity(), ...purpose(method, body) },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: apiKey === undefined ? ('include' as const) : ('omit' as const),
      signal: signal ?? null,
    }
    const most = isRepeatable(method, path) ? tries : 1
    let isPerhapsDone = false
    for (let count = 1; ; count += 1) {
      const { response, text, failure } = await exchange(path, request)
      if (response?.ok) {
        onResponse?.(response)
        return answer.parse(JSON.parse(text))
      }
      const refusal = response && readRefusal(response, text)
      // Deleted by a try whose answer was lost, or of which the service did not know how it ended.
      const isGone = method === 'DELETE' && isPerhapsDone && refusal?.status === 404
      if (isGone) return answer.parse({ success: true })
      if (count >= most || signal?.aborted || !isPassing(refusal)) throw refusal ?? failure
      isPerhapsDone ||= !refusal || refusal.status === 503
      const seconds = refusal?.retryAfter ?? 0.25 * 2 ** (count - 1)
      await sleep(1000 * seconds + 250 * Math.random(), signal)
    }
  }

  /** Without a response, the network failed: what was asked may have been done all the same. */
  async function exchange(path: string, request: RequestInit) {
    try {
      const response = await send(baseUrl.replace(/\/$/, '') + path, request)
      if (apiKey === undefined) jar.keep(response)
      return { response, text: await response.text() }
    } catch (failure) {
      return { text: '', failure }
    }
  }

  function identity(): Record<string, string> {
    if (apiKey !== undefined) return { authorization: `Bearer ${apiKey}` }
    const cookie = jar.header()
    // A session's changes are taken only from its own site, which a browser states by itself.
    return cookie ? { cookie, origin: new URL(baseUrl).origin } : {}
  }

  /** An answer to be read as it comes; a refusal as always. */
  async function open(path: string, headers: Record<string, string>) {
    const response = await send(baseUrl.replace(/\/$/, '') + path, {
      method: 'GET',
      headers: { ...preference, ...options.headers, ...identity(), ...headers },
      credentials: apiKey === undefined ? 'include' : 'omit',
      signal: signal ?? null,
    })
    if (!response.ok) throw readRefusal(response, await response.text())
    return response
  }

  return {
    open,
    get: <Answer extends z.ZodType>(answer: Answer, path: string, filter?: object) =>
      call(answer, 'GET', path + query(filter)),
    post: <Answer extends z.ZodType>(
      answer: Answer,
      path: string,
      body?: unknown,
      onResponse?: (response: Response) => void,
    ) => call(answer, 'POST', path, body, onResponse),
    patch: <Answer extends z.ZodType>(answer: Answer, path: string, body?: unknown) =>
      call(answer, 'PATCH', path, body),
    delete: (path: string, filter?: object) => call(Success, 'DELETE', path + query(filter)),
  }
}

/** With its key, a write that is sent twice happens once. */
function purpose(method: Method, body: unknown): Record<string, string> {
  // Not `randomUUID`, which browsers have under https only; a service at home may be without.
  const key = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...((method === 'POST' || method === 'PATCH') && { 'idempotency-key': key() }),
  }
}

/** Signing in knows no Idempotency-Key; and who asks for the service's health wants to know it. */
const isRepeatable = (method: Method, path: string) =>
  !path.startsWith('/health/') && !(method === 'POST' && path.startsWith('/api/auth/'))

const isPassing = (refusal: Refusal | undefined) =>
  !refusal ||
  ([429, 503].includes(refusal.status) && (refusal.retryAfter ?? 0) <= longestWaitSeconds)

function query(filter: object = {}) {
  const pairs = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)])
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''
}

function wait(ms: number, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', over)
    function over() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
  })
}
