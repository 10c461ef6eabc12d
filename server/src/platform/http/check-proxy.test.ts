import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { describe, expect, it, testApp } from '../../../test/it.ts'
import { checkProxy } from './check-proxy.ts'

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
    checkProxy(app)
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
