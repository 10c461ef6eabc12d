import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { onTestFinished } from 'vitest'
import { describe, expect, it as base } from '../../../test/it.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { postOutside } from './http-post.ts'
import {
  addressRefused,
  isPrivate,
  portRefused,
  outboundAddresses,
} from '../../platform/outbound/outbound-addresses.ts'
import { nameResolver } from '../../platform/outbound/resolve-name.ts'

const names = {
  'receiver.test': '127.0.0.1',
  'metadata.test': '169.254.169.254',
  'home.test': '192.168.1.20',
  'public.test': '203.0.114.1',
  'slow-1.test': 'silence',
  'slow-2.test': 'silence',
  'slow-3.test': 'silence',
  'slow-4.test': 'silence',
  'slow-5.test': 'silence',
  'slow-6.test': 'silence',
}

const it = base.extend('nameServer', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startNameServer(names)
  onCleanup(server.close)
  return server
})

const start = Date.parse('2026-03-02T08:00:00Z')
let time = start
const now = () => new Date(time)

function poster(servers: string[], allowed = 'refuse', publicUrl?: string) {
  const { post, close } = postOutside(
    outboundAddresses(allowed, publicUrl),
    nameResolver(now, servers),
  )
  onTestFinished(close)
  return (url: string) => post(url, {}, '{"type":"x","id":"1-1"}')
}

describe('an address', () => {
  it.for([
    'http://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://my.localhost:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://0x7f.1:8080/',
    'http://2130706433:8080/',
    'http://0.0.0.0:8080/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://metadata.test/',
    'http://home.test/',
  ])('is refused by default: %s', async (url, { nameServer }) => {
    expect(await poster(nameServer.servers)(url)).toEqual({ error: addressRefused })
  })

  it.for([
    'http://169.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::1]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://168.63.129.16/',
    'http://100.100.100.200/',
    'http://metadata.test/',
  ])('of a metadata service is refused even with allow: %s', async (url, { nameServer }) => {
    expect(await poster(nameServer.servers, 'allow')(url)).toEqual({ error: addressRefused })
  })

  it('of this machine is refused in any network', () => {
    const addresses = outboundAddresses('refuse', undefined)
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) expect(addresses.isAllowed(address)).toBe(false)
    // As on a server with a public address.
    expect(addresses.isAllowed('9.9.9.9')).toBe(true)
    expect(addresses.isAllowed('9.9.9.9', ['9.9.9.9'])).toBe(false)
  })

  it('of the public URL is refused, by name, by address and behind another name', async ({
    nameServer,
  }) => {
    const named = poster(nameServer.servers, 'refuse', 'https://public.test')
    expect(await named('https://public.test/hook')).toEqual({ error: addressRefused })
    expect(await named('https://203.0.114.1/hook')).toEqual({ error: addressRefused })
    const numbered = poster(nameServer.servers, 'refuse', 'https://203.0.114.1')
    expect(await numbered('http://203.0.114.1/hook')).toEqual({ error: addressRefused })
    const other = await startNameServer({ ...names, 'alias.test': '203.0.114.1' })
    onTestFinished(other.close)
    const aliased = poster(other.servers, 'refuse', 'https://public.test')
    expect(await aliased('https://alias.test/hook')).toEqual({ error: addressRefused })
  })

  it('of the public URL is refused while its name server does not answer', async () => {
    const known: Record<string, string> = { ...names, 'alias.test': '203.0.114.1' }
    const server = await startNameServer(known)
    onTestFinished(server.close)
    const post = poster(server.servers, 'refuse', 'https://public.test')
    const [alias, literal] = ['https://alias.test/', 'https://203.0.114.1/']
    const silent = { error: 'The name server does not answer' }

    known['public.test'] = 'silence'
    expect([await post(alias), await post(literal)]).toEqual([silent, silent])
    known['public.test'] = '203.0.114.1'
    time += 5 * 60_000
    await post(alias)
    known['public.test'] = 'silence'
    const refused = { error: addressRefused }
    expect([await post(alias), await post(literal)]).toEqual([refused, refused])
    time = start
  })

  it('in a listed network is allowed, and only there', async ({ nameServer }) => {
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const { port } = new URL(receiver.url)
    const post = poster(nameServer.servers, '127.0.0.0/8, fd00::/8')

    expect(await post(receiver.url)).toEqual({ status: 204 })
    expect(await post(`http://receiver.test:${port}/`)).toEqual({ status: 204 })
    expect(await post('http://192.168.1.20:8080/')).toEqual({ error: addressRefused })
    expect(receiver.received).toHaveLength(2)
  })

  it.for(['10.1.2.3', '172.31.0.1', '192.168.0.1', '100.64.0.1', 'fe80::1', 'fc00::1', '::', 'x'])(
    '%s is private',
    (address) => expect(isPrivate(address)).toBe(true),
  )
  it.for(['1.1.1.1', '172.32.0.1', '2606:4700::1111'])('%s is not private', (address) =>
    expect(isPrivate(address)).toBe(false),
  )
})

describe('a port', () => {
  it.for(['http://127.0.0.1:22/', 'https://receiver.test:25/', 'http://[::1]:1023/'])(
    'below 1024 is refused: %s',
    async (url, { nameServer }) => {
      expect(await poster(nameServer.servers, 'allow')(url)).toEqual({ error: portRefused })
    },
  )
})

describe('an error', () => {
  it('is reported in fixed texts, without addresses, ports or resolvers', async ({
    nameServer,
  }) => {
    const post = poster(nameServer.servers, 'allow')
    const receiver = await startReceiver()
    const { port } = new URL(receiver.url)

    expect(await post(`https://127.0.0.1:${port}/`)).toEqual({
      error: expect.stringMatching(/^(Cannot connect to|The certificate of) the receiver/),
    })
    receiver.close()
    expect(await post(receiver.url)).toEqual({ error: 'Cannot connect to the receiver' })
    expect(await post('http://unknown.test/')).toEqual({
      error: 'The name of the receiver cannot be resolved',
    })
  })
})

describe('a name server that does not answer', () => {
  it('blocks neither other deliveries nor the thread pool of the process', async ({
    nameServer,
  }) => {
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const { port } = new URL(receiver.url)
    const post = poster(nameServer.servers, 'allow')
    const order: string[] = []
    const slow = [1, 2, 3, 4, 5, 6].map(async (number) => {
      const answer = await post(`http://slow-${number}.test/`)
      order.push('slow')
      return answer
    })

    const healthy = await post(`http://receiver.test:${port}/`)
    order.push('healthy')
    await lookup('localhost') // as pg does for each connection, on libuv's thread pool
    order.push('getaddrinfo')

    expect(healthy).toEqual({ status: 204 })
    for (const answer of await Promise.all(slow)) {
      expect(answer).toEqual({ error: 'The name server does not answer' })
    }
    expect(order.slice(0, 2)).toEqual(['healthy', 'getaddrinfo'])
  })

  it('is not asked for the same name again for five minutes', async ({ nameServer }) => {
    const post = poster(nameServer.servers, 'allow')
    const silent = { error: 'The name server does not answer' }
    const questions = () => nameServer.asked.filter((name) => name === 'slow-1.test').length

    expect(await post('http://slow-1.test/')).toEqual(silent)
    const before = questions()
    expect(await post('http://slow-1.test/')).toEqual(silent)
    expect(questions()).toBe(before)
    time += 5 * 60_000
    expect(await post('http://slow-1.test/')).toEqual(silent)
    expect(questions()).toBeGreaterThan(before)
    time = start
  })
})
