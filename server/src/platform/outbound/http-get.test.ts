import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { describe, expect, it } from '../../../test/it.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { getOutside } from './http-get.ts'
import { addressRefused, outboundAddresses } from './outbound-addresses.ts'
import { nameResolver } from './resolve-name.ts'
import { shareMemory } from './share-memory.ts'

const now = () => new Date('2026-03-02T08:00:00Z')
const wanted = { accept: 'text/calendar', mostBytes: 1000 }

function outside(allowed = 'allow', servers?: string[]) {
  const made = getOutside(outboundAddresses(allowed, undefined), nameResolver(now, servers))
  onTestFinished(made.close)
  return made
}

const getter = (allowed?: string, servers?: string[]) => outside(allowed, servers).get

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const failure = (error: string, more = {}) => ({ kind: 'failed', error, ...more })

describe('fetching a file', () => {
  it('returns its bytes and the validators for the next request', async () => {
    const modified = 'Mon, 02 Mar 2026 08:00:00 GMT'
    const url = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
      expect(request.headers.accept).toBe('text/calendar')
      response.writeHead(200, { etag: '"1"', 'last-modified': modified }).end('BEGIN')
    })
    const get = getter()

    const first = await get(url, wanted)
    expect(first).toEqual({
      kind: 'body',
      content: { body: Buffer.from('BEGIN'), encoding: null },
      etag: '"1"',
      lastModified: modified,
    })
    expect(await get(url, { ...wanted, etag: '"1"' })).toEqual({ kind: 'unchanged' })
  })

  it('drops validators that are too long to be stored', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(200, { etag: 'x'.repeat(1001), 'last-modified': 'x'.repeat(1001) }).end(),
    )
    expect(await getter()(url, wanted)).toMatchObject({ etag: null, lastModified: null })
  })

  it('returns a compressed body as it is, and counts the bytes that are received', async () => {
    const packed = gzipSync('x'.repeat(10_000_000))
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'GZIP' }).end(packed),
    )
    const { get, request } = outside()
    const content = { body: packed, encoding: 'gzip' }
    const limits = { mostBytes: packed.length }

    expect(await get(url, { ...wanted, ...limits })).toMatchObject({ kind: 'body', content })
    const asked = { method: 'REPORT', headers: {}, body: '', ...limits }
    expect(await request(url, asked)).toMatchObject({ kind: 'answered', content })
    expect(await get(url, wanted)).toEqual(
      failure('The file is larger than 0.001 MB', { isTooLarge: true }),
    )
  })

  it('counts the bytes that are held, and ends when they are needed for others', async () => {
    const url = await serve((_request, response) => void response.end('x'.repeat(900)))
    const { open } = shareMemory(1000)
    const [other, own] = [open('ada'), open('grace')]
    other.add(800)

    const first = await getter()(url, { ...wanted, holding: own, signal: own.signal })
    expect(first).toEqual(failure('The server is too slow'))
    expect([other.signal.aborted, own.signal.aborted]).toEqual([false, true])

    other.release()
    const again = open('grace')
    expect(await getter()(url, { ...wanted, holding: again })).toMatchObject({ kind: 'body' })
  })

  it('fails for an endless answer, a broken one, and other statuses', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/cut') {
        response.writeHead(200, { 'content-length': '100' }).write('BEGIN')
        return void setTimeout(() => response.destroy(), 20)
      }
      if (request.url === '/busy') return response.writeHead(429, { 'retry-after': '90' }).end()
      if (request.url === '/gone') return response.writeHead(410).end()
      const more = () => void (response.write('x'.repeat(500)) && setImmediate(more))
      more()
    })
    const get = getter()

    expect(await get(url, wanted)).toEqual(
      failure('The file is larger than 0.001 MB', { isTooLarge: true }),
    )
    expect(await get(`${url}cut`, wanted)).toEqual(failure('Cannot connect to the server'))
    const busy = { status: 429, retryAfterSeconds: 90 }
    expect(await get(`${url}busy`, wanted)).toEqual(failure('The server answered 429', busy))
    expect(await get(`${url}gone`, wanted)).toEqual(
      failure('The server answered 410', { status: 410 }),
    )
  })
})

describe('an idle connection that the server closes as it is used again', () => {
  /** Answers one request per connection, and closes the connection on the next one. */
  async function serveOnce() {
    const used = new Set<unknown>()
    const methods: (string | undefined)[] = []
    const url = await serve(({ method, socket }, response) => {
      methods.push(method)
      if (used.has(socket)) return socket.destroy()
      used.add(socket)
      response.end('BEGIN')
    })
    return { url, methods }
  }
  const requestOf = (method: string) => ({ method, headers: {}, body: '', mostBytes: 1000 })

  it('is replaced by a new one', async () => {
    const { url, methods } = await serveOnce()
    const { get, request } = outside()

    await get(url, wanted)
    expect(await get(url, wanted)).toMatchObject({ kind: 'body' })
    expect(await request(url, requestOf('REPORT'))).toMatchObject({ kind: 'answered' })
    expect(methods).toEqual(['GET', 'GET', 'GET', 'REPORT', 'REPORT'])
  })

  it('fails a request that must not be sent twice', async () => {
    const { url, methods } = await serveOnce()
    const { get, request } = outside()

    await get(url, wanted)
    expect(await request(url, requestOf('POST'))).toEqual(failure('Cannot connect to the server'))
    expect(methods).toEqual(['GET', 'POST'])
  })
})

describe('redirects', () => {
  it('are followed five times', async () => {
    const url = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) return response.end('BEGIN')
      response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const get = getter()

    expect(await get(`${url}5`, wanted)).toMatchObject({ kind: 'body' })
    expect(await get(`${url}6`, wanted)).toEqual(failure('The server redirects too often'))
  })

  it('are checked like the URL itself', async () => {
    const names = await startNameServer({
      'calendar.test': '127.0.0.1',
      'inside.test': '127.0.0.2',
    })
    onTestFinished(names.close)
    const refused = 'The server redirects to an address that is not allowed'
    const targets: Record<string, string> = {
      '/metadata': 'http://169.254.169.254/latest',
      '/literal': 'http://10.0.0.1:8080/',
      '/file': 'file:///etc/passwd',
      '/password': 'http://a:b@calendar.test/',
    }
    const url = await serve((request, response) =>
      response.writeHead(302, { location: targets[request.url ?? ''] ?? '' }).end(),
    )
    const get = getter('127.0.0.1/32', names.servers)

    for (const path of Object.keys(targets)) {
      expect(await get(new URL(path, url).href, wanted)).toEqual(failure(refused))
    }
    targets['/named'] = `http://inside.test:${new URL(url).port}/`
    expect(await get(`${url}named`, wanted)).toEqual(failure(addressRefused))
  })
})
