// One API call: its URL and headers, and when it is retried.
import { Id, nilUuid, Success } from '@daywright/contract'
import type { z } from 'zod'
import { cookieJar } from './cookie-jar.ts'
import { readRefusal, type Refusal } from './refusal.ts'

export type ClientOptions = {
  /** The URL of the service: `https://planner.example.com`; in a browser, `''` is the page's origin. */
  baseUrl: string
  /** Without a key, calls use the session. */
  apiKey?: string
  /** An initial session cookie, outside a browser. Sign-in sets it as well. */
  cookie?: string
  /** Sent with every call. An `Idempotency-Key` replaces the random one: use such a client for one write. */
  headers?: Record<string, string>
  /** Aborts every call of this client. Clients are cheap: create one for calls to abort together. */
  signal?: AbortSignal
  /** The maximum number of tries, where a retry is safe. */
  tries?: number
  /** Whether the service refuses unknown fields and filters; true by default. */
  strict?: boolean
  fetch?: typeof fetch
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The input of a body or filter as in the contract, with a `Date` allowed for every timestamp. */
export type Sent<Schema extends z.ZodType> = Dated<z.input<Schema>, z.output<Schema>>
type Dated<In, Out> = {
  [Field in keyof In]: Field extends keyof Out
    ? In[Field] | (Date extends Out[Field] ? Date : never)
    : In[Field]
}

/** A path with ids. A malformed id, such as `../labels`, matches nothing (404) and cannot change the path. */
export const at = (path: TemplateStringsArray, ...ids: string[]) =>
  String.raw(path, ...ids.map((id) => (Id.safeParse(id).success ? id : nilUuid)))

/** The client always asks for what has become of a block. */
export const progress = { progress: true }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Call = ReturnType<typeof connect>

const longestWaitSeconds = 30

export function connect(options: ClientOptions) {
  const { baseUrl, apiKey, signal, tries = 2, fetch: send = fetch, sleep = wait } = options
  const jar = cookieJar(options.cookie)
  const preference: Record<string, string> =
    options.strict === false ? {} : { prefer: 'handling=strict' }

  const isKeyed = new Headers(options.headers).has('idempotency-key')

  async function call<Answer extends z.ZodType>(
    answer: Answer,
    method: Method,
    path: string,
    body?: unknown,
    onResponse?: (response: Response) => void,
  ): Promise<z.output<Answer>> {
    const request = {
      method,
      headers: {
        ...preference,
        ...options.headers,
        ...identity(),
        ...purpose(method, body, isKeyed),
      },
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
      // An earlier try, whose response was lost or whose outcome was unknown, deleted the record.
      const isGone = method === 'DELETE' && isPerhapsDone && refusal?.status === 404
      if (isGone) return answer.parse({ success: true })
      if (count >= most || signal?.aborted || !isTransient(refusal)) throw refusal ?? failure
      isPerhapsDone ||= !refusal || refusal.status === 503
      const seconds = refusal?.retryAfter ?? 0.25 * 2 ** (count - 1)
      await sleep(1000 * seconds + 250 * Math.random(), signal)
    }
  }

  /** No response means that the network failed; the request may have been carried out all the same. */
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
    // The service accepts a session's writes only from its own origin. A browser adds the header by itself.
    return cookie ? { cookie, origin: new URL(baseUrl).origin } : {}
  }

  /** Opens a streamed response. Throws a `Refusal` for an error response, but does not retry. */
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
    put: <Answer extends z.ZodType>(answer: Answer, path: string, body?: unknown) =>
      call(answer, 'PUT', path, body),
    patch: <Answer extends z.ZodType>(
      answer: Answer,
      path: string,
      body?: unknown,
      filter?: object,
    ) => call(answer, 'PATCH', path + query(filter), body),
    delete: (path: string, filter?: object) => call(Success, 'DELETE', path + query(filter)),
  }
}

/** The headers for a body, and an Idempotency-Key so that a repeated write is carried out only once. */
function purpose(method: Method, body: unknown, isKeyed: boolean): Record<string, string> {
  // Not `randomUUID`, which browsers offer only with https; a self-hosted service may use plain http.
  const key = () => crypto.getRandomValues(new Uint32Array(4)).join('-')
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(!isKeyed && ['POST', 'PUT', 'PATCH'].includes(method) && { 'idempotency-key': key() }),
  }
}

/** Sign-in takes no Idempotency-Key, and a health check has to report the current state. */
const isRepeatable = (method: Method, path: string) =>
  !path.startsWith('/health/') && !(method === 'POST' && path.startsWith('/api/auth/'))

const isTransient = (refusal: Refusal | undefined) =>
  !refusal ||
  ([429, 503].includes(refusal.status) && (refusal.retryAfter ?? 0) <= longestWaitSeconds)

export function query(filter: object = {}) {
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
