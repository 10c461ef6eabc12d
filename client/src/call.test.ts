import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import type { Lifecycle } from '../../server/src/platform/http/lifecycle.ts'
import { describe, expect, newPerson, testApp } from '../../server/test/it.ts'
import { it, newcomer } from '../test/it.ts'
import { createClient, Refusal } from './index.ts'

describe('authentication', () => {
  it('sends the API key, or lets the browser add its cookie', async ({ baseUrl, ada }) => {
    const sent: RequestInit[] = []
    const fetchAndNote: typeof fetch = (url, init) => {
      sent.push(init ?? {})
      return fetch(url, init)
    }
    const headers = { 'user-agent': 'daywright-cli' }
    const options = { baseUrl, headers, fetch: fetchAndNote }

    await createClient({ ...options, apiKey: ada.key }).labels.list()
    const unknown = createClient(options).labels.list()

    await expect(unknown).rejects.toMatchObject({ status: 401 })
    const authorization = `Bearer ${ada.key}`
    expect(sent).toEqual([
      expect.objectContaining({
        credentials: 'omit',
        headers: { prefer: 'handling=strict', ...headers, authorization },
      }),
      expect.objectContaining({
        credentials: 'include',
        headers: { prefer: 'handling=strict', ...headers },
      }),
    ])
  })
})

describe('an Idempotency-Key of the caller', () => {
  it.for(['idempotency-key', 'Idempotency-Key'])(
    'is sent as %s, so a script that runs again creates nothing twice',
    async (name, { baseUrl, ada }) => {
      const headers = { [name]: 'import-J-17' }
      const once = () => createClient({ baseUrl, apiKey: ada.key, headers })

      const first = await once().tasks.create({ title: 'Write' })

      expect(await once().tasks.create({ title: 'Write' })).toEqual(first)
      expect((await once().tasks.list()).pagination.total).toBe(1)
    },
  )
})

describe('refusals', () => {
  it('have errors per field, and the request id of the log', async ({ me }) => {
    const refusal = await me.tasks.create({ title: '' }).catch((error: unknown) => error)

    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({
      message: 'Validation failed',
      status: 400,
      body: { error: 'Validation failed', details: { title: [expect.any(String)] } },
      retryAfter: undefined,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('name a misspelt field or filter, unless strict is off', async ({ baseUrl, ada, me }) => {
    const misspelt = { title: 'Write', dueDate: '2026-03-06' }
    const lenient = createClient({ baseUrl, apiKey: ada.key, strict: false })

    const refused = me.tasks.create(misspelt)

    await expect(refused).rejects.toMatchObject({
      status: 400,
      body: { details: { dueDate: ['Unknown field'] } },
    })
    await expect(me.tasks.list({ sort: 'title' } as object)).rejects.toMatchObject({
      body: { details: { sort: ['Unknown parameter'] } },
    })
    expect(await lenient.tasks.create(misspelt)).toMatchObject({ title: 'Write' })
  })

  it('404: a malformed id matches no record and cannot change the path', async ({ me }) => {
    const { id } = await me.documents.create({ title: 'Brief' })

    await expect(me.tasks.documents.unlink('..', id)).rejects.toMatchObject({ status: 404 })
    await expect(me.labels.delete('a/b?c')).rejects.toThrow('Label not found')

    expect(await me.documents.list()).toHaveLength(1)
  })

  it('are read from a proxy that does not answer JSON', async ({ onTestFinished }) => {
    const proxy = createServer((_, response) => response.writeHead(502).end('<h1>Bad</h1>'))
    onTestFinished(() => void proxy.close())

    const call = createClient({ baseUrl: await listen(proxy) }).labels.list()

    await expect(call).rejects.toMatchObject({ status: 502, body: { error: 'Bad Gateway' } })
  })
})

describe('a retry', () => {
  it('503: waits for the time in Retry-After', async ({ db, now, onTestFinished }) => {
    const lifecycle: Lifecycle = { phase: 'starting' }
    const config = readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent' })
    const app = await buildApp({ db, now: () => now, config, lifecycle })
    onTestFinished(() => app.close())
    const { key } = await newPerson(app, db)
    const waits: number[] = []
    const options = {
      baseUrl: await app.listen({ port: 0 }),
      apiKey: key,
      sleep: async (ms: number) => {
        waits.push(ms)
        lifecycle.phase = 'serving'
      },
    }
    const { health, labels } = createClient(options)
    const impatient = createClient({ ...options, tries: 1 })
    await expect(health.ready()).rejects.toMatchObject({ status: 503, retryAfter: 1 })
    await expect(impatient.labels.list()).rejects.toMatchObject({ status: 503 })
    expect(waits).toEqual([])

    expect(await labels.create({ name: 'home' })).toMatchObject({ name: 'home' })

    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(1000)
    expect(waits[0]).toBeLessThan(1250)
  })

  it('429: waits out the rate limit', async ({ db, now, onTestFinished }) => {
    let clock = now.getTime()
    const limits = { RATE_LIMIT: 'on', RATE_LIMIT_PER_KEY: 1 } as const
    const app = await testApp(db, () => new Date(clock), limits)
    onTestFinished(() => app.close())
    const { key: apiKey } = await newPerson(app, db)
    const baseUrl = await app.listen({ port: 0 })
    const sleep = async (ms: number) => void (clock += ms)
    const { labels } = createClient({ baseUrl, apiKey, sleep })

    for (let count = 0; count < 8; count += 1) expect(await labels.list()).toEqual([])

    expect(clock).toBeGreaterThan(now.getTime() + 2000)
  })

  it('429: does not wait if Retry-After is over 30 s', async ({ onTestFinished }) => {
    const server = createServer((_, response) =>
      response.writeHead(429, { 'retry-after': '600' }).end('{"error":"Too many requests"}'),
    )
    onTestFinished(() => void server.close())

    const call = createClient({ baseUrl: await listen(server) }).labels.list()

    await expect(call).rejects.toMatchObject({ status: 429, retryAfter: 600 })
  })

  it('carries out a write once if its response was lost', async ({ baseUrl, ada, me }) => {
    const { labels } = createClient({ baseUrl, apiKey: ada.key, fetch: losingAnswers(1) })

    const { id } = await labels.create({ name: 'home' })

    expect(await me.labels.list()).toMatchObject([{ id, name: 'home' }])
  })

  const unknown = () => Response.json({ error: 'The database is unreachable' }, { status: 503 })
  it.for([
    ['no answer', undefined],
    ['a 503 that leaves the outcome unknown', unknown],
  ] as const)(
    'a deletion that first gets %s succeeds; a deletion of an unknown record is refused',
    async ([, instead], { baseUrl, ada, me }) => {
      const { id } = await me.labels.create({ name: 'home' })
      const { labels } = createClient({
        baseUrl,
        apiKey: ada.key,
        fetch: losingAnswers(1, instead),
      })

      expect(await labels.delete(id)).toEqual({ success: true })

      expect(await me.labels.list()).toEqual([])
      await expect(labels.delete(id)).rejects.toMatchObject({ status: 404 })
    },
  )

  it('is made until the tries are used up, then the call rejects', async ({ baseUrl, ada }) => {
    const options = { baseUrl, apiKey: ada.key, sleep: async () => {} }

    const twice = createClient({ ...options, fetch: losingAnswers(2) })
    const thrice = createClient({ ...options, fetch: losingAnswers(2), tries: 3 })

    await expect(twice.labels.list()).rejects.toThrow('answer lost')
    expect(await thrice.labels.list()).toEqual([])
  })

  it('does not apply to sign-in, which takes no Idempotency-Key', async ({ baseUrl }) => {
    const { auth } = createClient({ baseUrl, fetch: losingAnswers(1) })

    await expect(auth.signUp(newcomer())).rejects.toThrow('answer lost')
  })
})

describe('the signal', () => {
  it('ends a running call', async ({ onTestFinished }) => {
    const controller = new AbortController()
    const silent = createServer(() => controller.abort())
    onTestFinished(() => silent.close().closeAllConnections())

    const { signal } = controller
    const call = createClient({ baseUrl: await listen(silent), signal }).labels.list()

    await expect(call).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })

  it('ends the wait for a retry', async ({ onTestFinished }) => {
    const controller = new AbortController()
    const busy = createServer((_, response) => {
      response.writeHead(503, { 'retry-after': '30' }).end('{"error":"Starting"}')
      setTimeout(() => controller.abort(new Error('Enough')), 50)
    })
    onTestFinished(() => void busy.close())

    const { signal } = controller
    const call = createClient({ baseUrl: await listen(busy), signal }).labels.list()

    await expect(call).rejects.toThrow('Enough')
  })
})

/** A `fetch` that sends every request, but loses the first `count` responses or replaces them by `instead()`. */
function losingAnswers(count: number, instead?: () => Response): typeof fetch {
  let left = count
  return async (url, init) => {
    const response = await fetch(url, init)
    if (left === 0) return response
    left -= 1
    if (instead) return instead()
    throw new TypeError('answer lost')
  }
}

async function listen(server: ReturnType<typeof createServer>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
