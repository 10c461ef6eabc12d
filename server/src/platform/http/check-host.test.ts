import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { describe, expect, it, newPerson, testApp } from '../../../test/it.ts'
import { warnOfProxy } from './check-host.ts'

const https = { PUBLIC_URL: 'https://plan.example.com', SIGN_UP: 'open' } as const

const newcomer = (email: string) => ({ email, password: 'correct horse battery staple', name: 'A' })

/** Sends these lines as they are, and returns the raw response. */
async function exchange(port: number, lines: string[]) {
  const socket = connect(port, '127.0.0.1')
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'))
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  await once(socket, 'close')
  return text
}

describe('two Host headers', () => {
  it('400: on every path; one Host header is served', async ({ db, now }) => {
    const app = await testApp(db, () => now)
    onTestFinished(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const ask = (path: string, ...hosts: string[]) =>
      exchange(port, [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`)])

    const answers = await Promise.all([
      ask('/health/live', 'one.example', 'two.example'),
      ask('/api/user', 'one.example', 'one.example'),
      ask('/health/live', 'one.example'),
    ])

    expect(answers.map((text) => text.slice(9, 12))).toEqual(['400', '400', '200'])
    expect(answers[0]).toContain('{"error":"More than one Host header"}')
  })
})

describe('X-Forwarded-For', () => {
  async function appBehind(trustProxy: string | false) {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const app = Fastify({ trustProxy, logger: { level: 'warn', stream } })
    warnOfProxy(app)
    app.get('/', () => 'ok')
    onTestFinished(() => app.close())
    const ask = () =>
      app.inject({
        url: '/',
        remoteAddress: '172.18.0.1',
        headers: { 'x-forwarded-for': '9.9.9.9' },
      })
    return { ask, lines }
  }

  it('from a peer that TRUST_PROXY does not name causes one warning', async () => {
    const { ask, lines } = await appBehind('10.0.0.1')

    for (let count = 0; count < 3; count += 1) await ask()

    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('A request from 172.18.0.1 has an X-Forwarded-For header')
  })

  it('from a trusted proxy causes no warning', async () => {
    const { ask, lines } = await appBehind('172.16.0.0/12')

    await ask()

    expect(lines).toEqual([])
  })
})

describe('the Host of a request, with a PUBLIC_URL', () => {
  it.for([
    'plan.example.com',
    'plan.example.com:443',
    'PLAN.example.com',
    '127.0.0.1:3000',
    'localhost',
    '[::1]:3000',
  ])('200: %s', async (host, { db, now }) => {
    const app = await testApp(db, () => now, https)

    expect((await app.inject({ url: '/api/auth/sign-up', headers: { host } })).statusCode).toBe(200)
  })

  it.for(['evil.test', 'plan.example.com.evil.test', '192.0.2.1'])(
    '421: %s, for every path',
    async (host, { db, now }) => {
      const app = await testApp(db, () => now, https)

      const answers = [
        await app.inject({ url: '/', headers: { host } }),
        await app.inject({ url: '/metrics', headers: { host } }),
        await app.inject({
          method: 'POST',
          url: '/api/auth/sign-up/email',
          headers: { host, origin: `https://${host}` },
          payload: newcomer('rebound@example.com'),
        }),
      ]

      for (const answer of answers) {
        expect(answer.statusCode).toBe(421)
        expect(answer.json()).toEqual({
          error: 'This service answers only requests for the host plan.example.com',
        })
      }
    },
  )

  it('200: any host, for health checks and with an API key', async ({ db, now }) => {
    const app = await testApp(db, () => now, https)
    const { key } = await newPerson(app, db)

    const answers = [
      await app.inject({ url: '/health/live', headers: { host: '10.0.0.7:3000' } }),
      await app.inject({
        url: '/api/user',
        headers: { host: 'api:3000', authorization: `Bearer ${key}` },
      }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  it('200: any host, without a PUBLIC_URL', async ({ app }) => {
    const answer = await app.inject({ url: '/api/auth/sign-up', headers: { host: 'nas.local' } })

    expect(answer.statusCode).toBe(200)
  })
})

describe('the origin of a sign-up, with a PUBLIC_URL', () => {
  it.for([
    ['https://plan.example.com', 'plan.example.com', 200],
    ['https://plan.example.com', '127.0.0.1:3000', 200],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', 200],
    ['http://plan.example.com', 'plan.example.com', 403],
    ['https://evil.test', 'plan.example.com', 403],
    ['http://127.0.0.1:8080', '127.0.0.1:3000', 403],
  ] as const)('%s to %s: %s', async ([origin, host, status], { db, now }) => {
    const app = await testApp(db, () => now, https)

    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      headers: { host, origin },
      payload: newcomer(`${crypto.randomUUID()}@example.com`),
    })

    expect(answer.statusCode).toBe(status)
    if (status === 403) {
      expect(answer.json().error).toBe(
        `Cross-site request refused: ${origin} is not the address of this service (PUBLIC_URL)`,
      )
    }
  })
})

describe('Strict-Transport-Security', () => {
  it.for([
    ['https://plan.example.com', 'max-age=31536000'],
    ['http://plan.example.com', undefined],
    [undefined, undefined],
  ] as const)('with %s: %s', async ([PUBLIC_URL, expected], { db, now }) => {
    const app = await testApp(db, () => now, PUBLIC_URL === undefined ? {} : { PUBLIC_URL })

    for (const url of ['/health/live', '/api/user', '/api/auth/sign-up', '/nowhere']) {
      const { headers } = await app.inject({ url })
      expect(headers['strict-transport-security']).toBe(expected)
    }
  })
})
