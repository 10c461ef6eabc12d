import type { InjectOptions } from 'fastify'
import { type App, describe, expect, it, type Person, signUp, unknownId } from '../../../test/it.ts'
import { newKey } from '../auth/api-key-format.ts'

const unauthorized = { error: 'Unauthorized' }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Every operation that needs credentials, from the published OpenAPI document. */
async function operations(app: App) {
  const { paths } = (await app.inject({ url: '/api/openapi.json' })).json<{
    paths: Record<string, Record<string, unknown>>
  }>()
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/') && !path.startsWith('/api/auth/'))
    .map(([path, methods]) => ({
      url: path.replaceAll(/\{\w+\}/g, unknownId),
      methods: Object.keys(methods).map((method) => method.toUpperCase() as Method),
    }))
}

const send = (app: App, person: Person, options: InjectOptions) =>
  app.inject({
    ...options,
    headers: { authorization: `Bearer ${person.key}`, ...options.headers },
  })

const json = { 'content-type': 'application/json' }

describe('401 comes first', () => {
  it('for every operation, before its path, query and body are checked', async ({ app }) => {
    for (const { url, methods } of await operations(app)) {
      for (const method of methods) {
        const answer = await app.inject({
          method,
          url: `${url.replace(unknownId, 'not-an-id')}?page=0&from=never`,
          headers: method === 'GET' ? {} : json,
          payload: method === 'GET' ? undefined : '{"title":',
        })
        expect(answer.json(), `${method} ${url}`).toEqual(unauthorized)
        expect(answer.statusCode).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    }
  })

  it('before the method, content type and size are checked', async ({ app }) => {
    const answers = [
      await app.inject({ method: 'PUT', url: '/api/labels' }),
      await app.inject({ method: 'POST', url: '/api/labels', payload: 'plain' }),
      await app.inject({ method: 'POST', url: '/api/labels', payload: { name: 'x'.repeat(2e6) } }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  })

  it.for([
    ['nothing', {}],
    ['an empty header', { authorization: '' }],
    ['no key', { authorization: 'Bearer' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['nonsense', { authorization: 'Bearer nonsense' }],
    ['an unknown key', { authorization: `Bearer ${newKey(unknownId).key}` }],
    ['another scheme', { authorization: 'Basic YWRhOnNlY3JldA==' }],
    ['an empty cookie', { cookie: '' }],
    ['another cookie', { cookie: 'theme=dark' }],
    ['a cookie without a valid signature', { cookie: 'daywright.session_token=abc.def' }],
    ['a broken cookie', { cookie: 'daywright.session_token=%' }],
    ['a key as a cookie', { cookie: `daywright.session_token=${newKey(unknownId).key}` }],
  ] as const)('with %s', async ([, headers], { app }) => {
    const answer = await app.inject({ url: '/api/labels', headers })

    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual(unauthorized)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it.for(['bearer', 'BEARER', 'bEaReR'])(
    'but not with a valid key, however the scheme is written: %s',
    async (scheme, { app, ada }) => {
      const headers = { authorization: `${scheme} ${ada.key}` }

      expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(200)
    },
  )

  it('with a key that was truncated, repeated, quoted or sent in the query', async ({
    app,
    ada,
  }) => {
    for (const text of [ada.key.slice(0, -1), `${ada.key},${ada.key}`, `"${ada.key}"`]) {
      const headers = { authorization: `Bearer ${text}` }
      expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(401)
    }
    const inQuery = await app.inject({ url: `/api/labels?access_token=${ada.key}` })

    expect(inQuery.statusCode).toBe(401)
  })

  it('with a wrong key, even beside a valid session', async ({ app }) => {
    const { cookie } = await signUp(app)

    const answer = await app.inject({
      url: '/api/labels',
      headers: { cookie, authorization: 'Bearer nonsense' },
    })

    expect(answer.statusCode).toBe(401)
  })
})

describe('404', () => {
  it('for an unknown path, with and without credentials and for any body', async ({ app, ada }) => {
    for (const url of ['/api', '/api/', '/api/nothing', '/api/labels/x/y', '/api//labels']) {
      for (const options of [
        { url },
        { url, method: 'POST', headers: json, payload: '{"broken' },
        { url, method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'x' },
      ] as const) {
        const answer = await send(app, ada, options)
        expect(answer.statusCode, JSON.stringify(options)).toBe(404)
        expect(answer.json()).toEqual({ error: 'Not found' })
      }
    }
  })

  it.for([
    ['broken percent-encoding', '%zz'],
    ['half a percent-encoding', '%'],
    ['percent-encoding that is no UTF-8', '%E0%A4%A'],
  ])('%s in a path', async ([, id], { app, ada }) => {
    const answer = await send(app, ada, { url: `/api/tasks/${id}` })

    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: expect.stringMatching(/not found/i) })
    expect(answer.headers['x-request-id']).toMatch(uuid)
  })

  it('for an id of any length', async ({ app, ada }) => {
    for (const length of [37, 1000, 1001, 8000]) {
      const answer = await send(app, ada, { url: `/api/tasks/${'a'.repeat(length)}` })
      expect(answer.statusCode, `${length}`).toBe(404)
      expect(answer.json()).toEqual({ error: expect.stringMatching(/not found/i) })
    }
  })
})

describe('405', () => {
  it('for every other method of every path, with Allow', async ({ app, ada }) => {
    const all: Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    for (const { url, methods } of await operations(app)) {
      const allowed = methods.includes('GET') ? [...methods, 'HEAD' as const] : methods
      for (const method of all.filter((each) => !allowed.includes(each))) {
        const payload = method === 'HEAD' ? undefined : '{"broken'
        const answer = await send(app, ada, { method, url, headers: json, payload })
        expect(answer.statusCode, `${method} ${url}`).toBe(405)
        expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allowed.toSorted())
        if (method !== 'HEAD') expect(answer.json()).toEqual({ error: 'Method not allowed' })
      }
    }
  })
})

describe('a body', () => {
  const post = (app: App, person: Person, payload: string | undefined, headers: object = json) =>
    send(app, person, {
      method: 'POST',
      url: '/api/labels',
      payload,
      headers: headers as Record<string, string>,
    })

  it.for(['{', '{"name":', "{'name':'home'}", '{"name":"home"}}', 'undefined', ' ', '\u0000'])(
    '400: malformed JSON: %j',
    async (text, { app, ada }) => {
      const answer = await post(app, ada, text)

      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ error: 'Invalid JSON' })
    },
  )

  it('400: JSON that is nested too deep, which could end the process', async ({ app, ada }) => {
    const payload = `{"name":"home","more":[${'{},['.repeat(9000)}]}`

    const answer = await post(app, ada, payload)

    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error: 'Invalid JSON' })
  })

  it('400: malformed JSON, on every operation that writes', async ({ app, ada }) => {
    for (const { url, methods } of await operations(app)) {
      if (/api-keys|feeds|plan-calendars|connected-accounts|admin/.test(url)) continue // needs a session
      for (const method of methods.filter((each) => each !== 'GET')) {
        const answer = await send(app, ada, { method, url, headers: json, payload: '{"broken' })
        expect(answer.json(), `${method} ${url}`).toEqual({ error: 'Invalid JSON' })
        expect(answer.statusCode).toBe(400)
      }
    }
  })

  it.for(['[]', '[{"name":"home"}]', 'null', '"home"', '7', 'true', ''])(
    '400: not an object: %j',
    async (text, { app, ada }) => {
      const answer = await post(app, ada, text)

      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        error: 'Validation failed',
        details: { body: [expect.any(String)] },
      })
    },
  )

  it('400: reports the first 100 errors', async ({ ada }) => {
    const window = { day: [7, 7, 7, 7, 7, 7, 7], start: '08:00', end: '12:00' }

    const { status, body } = await ada.post('/api/schedule-preferences', {
      name: 'Mornings',
      windows: Array.from({ length: 50 }, () => window),
    })

    expect(status).toBe(400)
    expect(Object.keys(body.details)).toHaveLength(100)
  })

  it('400: missing where one is required', async ({ app, ada }) => {
    const answer = await post(app, ada, undefined, {})

    expect(answer.json()).toEqual({
      error: 'Validation failed',
      details: { body: [expect.any(String)] },
    })
  })

  it('200: empty with a JSON content type, where none is required', async ({ app, ada }) => {
    const { id } = (await ada.post('/api/labels', { name: 'home' })).body

    const answers = [
      await send(app, ada, { method: 'PATCH', url: '/api/notifications', headers: json }),
      await send(app, ada, { method: 'DELETE', url: `/api/labels/${id}`, headers: json }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  it('201: unknown fields are ignored, and so is a userId', async ({ app, ada, grace }) => {
    const answer = await post(
      app,
      ada,
      JSON.stringify({ name: 'home', id: unknownId, userId: grace.id, createdAt: 0, extra: {} }),
    )

    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ name: 'home', userId: ada.id })
    expect(answer.json().id).not.toBe(unknownId)
  })

  it('201: __proto__ and constructor are unknown fields', async ({ app, ada }) => {
    const poison =
      '{"name":"home","__proto__":{"color":"#000000","isAdmin":true},' +
      '"constructor":{"prototype":{"color":"#000000"}}}'

    const answer = await post(app, ada, poison)

    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ name: 'home', color: null })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it('201: UTF-8 is returned unchanged, with its charset', async ({ app, ada }) => {
    const name = 'Zürich 東京 🗓️ e\u0301 \u202e'

    const answer = await post(app, ada, JSON.stringify({ name }), {
      'content-type': 'application/json; charset=utf-8',
    })

    expect(answer.statusCode).toBe(201)
    expect(answer.json().name).toBe(name)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.for([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'nonsense',
  ])('415: as %s', async (type, { app, ada }) => {
    const answer = await post(app, ada, '{"name":"home"}', { 'content-type': type })

    expect(answer.statusCode).toBe(415)
    expect(answer.json()).toEqual({ error: expect.any(String) })
    expect((await ada.get('/api/labels')).body).toEqual([])
  })

  it.for(['application/x-www-form-urlencoded', 'text/plain', 'nonsense'])(
    '200: an empty body is none, also as %s',
    async (type, { app, ada }) => {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/api/planner',
        headers: {
          authorization: `Bearer ${ada.key}`,
          'content-type': type,
          'content-length': '0',
        },
        payload: '',
      })

      expect(statusCode).toBe(200)
    },
  )

  const bodyOfSize = (bytes: number) => {
    const frame = JSON.stringify({ title: 'Big', content: '' }).length
    return JSON.stringify({ title: 'Big', content: 'x'.repeat(bytes - frame) })
  }
  const mebibyte = 1024 * 1024

  it('413: over 1 MiB, before it is read', async ({ app, ada }) => {
    const url = '/api/tasks'

    const within = await send(app, ada, {
      method: 'POST',
      url,
      headers: json,
      payload: bodyOfSize(mebibyte),
    })
    const beyond = await send(app, ada, {
      method: 'POST',
      url,
      headers: json,
      payload: bodyOfSize(mebibyte + 1),
    })

    expect(within.statusCode).toBe(201)
    expect(beyond.statusCode).toBe(413)
    expect(beyond.json()).toEqual({ error: 'Request body is too large' })
  })

  it('413: over 4 MiB for a document', async ({ app, ada }) => {
    const url = '/api/documents'

    const within = await send(app, ada, {
      method: 'POST',
      url,
      headers: json,
      payload: bodyOfSize(4 * mebibyte),
    })
    const beyond = await send(app, ada, {
      method: 'POST',
      url,
      headers: json,
      payload: bodyOfSize(4 * mebibyte + 1),
    })

    expect(within.statusCode).toBe(201)
    expect(within.json().content).toHaveLength(4 * mebibyte - 28)
    expect(beyond.statusCode).toBe(413)
  })
})

describe('every answer', () => {
  const requests: [string, InjectOptions][] = [
    ['200', { url: '/api/labels' }],
    ['201', { url: '/api/labels', method: 'POST', payload: { name: 'home' } }],
    ['400', { url: '/api/labels', method: 'POST', payload: {} }],
    ['401', { url: '/api/labels', headers: { authorization: '' } }],
    ['404 record', { url: `/api/tasks/${unknownId}` }],
    ['404 path', { url: '/api/nothing' }],
    ['404 malformed', { url: '/api/tasks/%zz' }],
    ['404 long', { url: `/api/tasks/${'a'.repeat(2000)}` }],
    ['405', { url: '/api/labels', method: 'PUT' }],
    ['413', { url: '/api/labels', method: 'POST', payload: { name: 'x'.repeat(2e6) } }],
    ['415', { url: '/api/labels', method: 'POST', payload: 'x' }],
    ['health', { url: '/health/live' }],
    ['metrics', { url: '/metrics' }],
    ['session', { url: '/api/auth/get-session' }],
  ]

  it.for(requests)('%s: has the security headers', async ([, options], { app, ada }) => {
    const { headers } = await send(app, ada, options)

    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  })

  it.for(requests)(
    '%s: has its own request id, not the caller’s',
    async ([, options], { app, ada }) => {
      const own = { ...options, headers: { ...options.headers, 'x-request-id': 'mine' } }

      const [one, two] = [await send(app, ada, own), await send(app, ada, own)]

      expect(one.headers['x-request-id']).toMatch(uuid)
      expect(two.headers['x-request-id']).toMatch(uuid)
      expect(two.headers['x-request-id']).not.toBe(one.headers['x-request-id'])
    },
  )

  it('500: reveals no details', async ({ app, db, ada }) => {
    await db.query('alter table labels rename to hidden')

    const answer = await send(app, ada, { url: '/api/labels' })

    await db.query('alter table hidden rename to labels')
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({ error: 'Internal server error' })
    expect(answer.headers['x-request-id']).toMatch(uuid)
  })
})

describe('HEAD', () => {
  it('200: like GET, without the body', async ({ app, ada }) => {
    const answer = await send(app, ada, { method: 'HEAD', url: '/api/labels' })

    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
    expect(answer.headers['content-length']).toBe('2')
  })
})
