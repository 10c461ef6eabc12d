import {
  type App,
  describe,
  expect,
  it,
  newPerson,
  type Person,
  testApp,
} from '../../../test/it.ts'
import { newKey } from '../auth/api-key-format.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { networksOf, rateLimiter } from './rate-limit.ts'

const get = (app: App, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  app.inject({ url: '/api/labels', headers, remoteAddress })

const keyOf = (person: Person) => ({ authorization: `Bearer ${person.key}` })

async function anotherKey(db: Database, { id }: Person) {
  const { key, prefix, hash } = newKey(id)
  await db.pool.query(
    'insert into api_keys (user_id, id, name, prefix, hash, scopes) values ($1, $2, $3, $4, $5, $6)',
    [id, newId(), 'another', prefix, hash, ['read']],
  )
  return key
}

const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

describe('rateLimiter', () => {
  it('admits a burst at once, then the sustained rate', () => {
    const { take } = rateLimiter({ burst: 3, perSecond: 2 })
    const isAllowed = (time: number) => take('ada', time).allowed

    expect([0, 0, 0, 0].map(isAllowed)).toEqual([true, true, true, false])
    expect([499, 500, 500].map(isAllowed)).toEqual([false, true, false])
    expect([1000, 1500, 2000, 2499].map(isAllowed)).toEqual([true, true, true, false])
  })

  it('refills after a pause, up to one burst', () => {
    const { take } = rateLimiter({ burst: 3, perSecond: 2 })
    for (let each = 0; each < 5; each += 1) take('ada', 0)

    const later = Array.from({ length: 5 }, () => take('ada', 3_600_000).allowed)

    expect(later).toEqual([true, true, true, false, false])
  })

  it('reports the remaining budget and the time to retry', () => {
    const { take } = rateLimiter({ burst: 2, perSecond: 0.1 })

    expect(take('ada', 0)).toMatchObject({ allowed: true, remaining: 1, wholeInSeconds: 10 })
    expect(take('ada', 0)).toMatchObject({ allowed: true, remaining: 0, wholeInSeconds: 20 })
    expect(take('ada', 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 10 })
    expect(take('ada', 9_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    expect(take('ada', 10_000)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('does not charge refused requests', () => {
    const { take } = rateLimiter({ burst: 1, perSecond: 1 })
    take('ada', 0)

    for (let time = 1; time < 1000; time += 1) take('ada', time)

    expect(take('ada', 1000).allowed).toBe(true)
  })

  it('counts each key separately', () => {
    const { take } = rateLimiter({ burst: 1, perSecond: 1 })

    expect([take('ada', 0).allowed, take('grace', 0).allowed]).toEqual([true, true])
  })

  it('keeps a bounded number of keys and evicts the least recently used', () => {
    const { take } = rateLimiter({ burst: 1, perSecond: 0.001 })
    take('ada', 0)
    for (let at = 0; at < 49_999; at += 1) take(`other ${at}`, 0)

    expect(take('ada', 0).allowed).toBe(false)
    for (let at = 0; at < 49_999; at += 1) take(`another ${at}`, 0)

    expect(take('ada', 0).allowed).toBe(false)
    expect(take('other 49998', 0).allowed).toBe(true)
  })

  it('admits a request that costs more than the room left, and refuses until the debt is paid', () => {
    const { take, charge } = rateLimiter({ burst: 2, perSecond: 1 })

    expect(take('ada', 0, 4).allowed).toBe(true)
    expect(take('ada', 2000)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    expect(take('ada', 3000).allowed).toBe(true)
    charge([{ key: 'ada', times: 1 }], 10_000, 5)
    expect(take('ada', 10_000)).toMatchObject({ allowed: false, retryAfterSeconds: 4 })
  })

  it('charges several keys together, or none of them', () => {
    const { take } = rateLimiter({ burst: 1, perSecond: 1 })
    const narrow = (key: string) => [
      { key, times: 1 },
      { key: 'wide', times: 2 },
    ]

    const allowed = ['one', 'one', 'two', 'three'].map((key) => take(narrow(key), 0).allowed)

    expect(allowed).toEqual([true, false, true, false])
    expect(take('three', 0).allowed).toBe(true)
  })
})

describe('networksOf', () => {
  it('charges IPv4 to the address alone, also for an IPv4-mapped address', () => {
    const alone = [{ key: '192.0.2.1', times: 1 }]
    expect([networksOf('192.0.2.1'), networksOf('::ffff:192.0.2.1')]).toEqual([alone, alone])
  })

  it('charges IPv6 to the /64, and to the /48 with four times the rate', () => {
    expect(networksOf('2001:db8:1:2::3')).toEqual([
      { key: '2001:db8:1:2::/64', times: 1 },
      { key: '2001:db8:1::/48', times: 4 },
    ])
  })
})

describe('RATE_LIMIT', () => {
  it('429: a key over its rate; another key, or a later request, is served', async ({
    db,
    now,
  }) => {
    let time = now.getTime()
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_KEY: 2 } as const
    const app = await testApp(db, () => new Date(time), settings)
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]

    const answers = await Promise.all(Array.from({ length: 12 }, () => get(app, keyOf(ada))))

    expect(statuses(answers)).toEqual([...Array(10).fill(200), 429, 429])
    expect(answers[0]?.headers).toMatchObject({
      'ratelimit-policy': '"key";q=10;w=5',
      ratelimit: '"key";r=9;t=1',
    })
    expect(answers[0]?.headers).not.toHaveProperty('retry-after')
    expect(answers[11]?.json()).toEqual({ error: 'Too many requests' })
    expect(answers[11]?.headers).toMatchObject({
      'ratelimit-policy': '"key";q=10;w=5',
      ratelimit: '"key";r=0;t=5',
      'retry-after': '1',
    })
    expect((await get(app, keyOf(grace))).statusCode).toBe(200)
    time += 500
    expect(statuses([await get(app, keyOf(ada)), await get(app, keyOf(ada))])).toEqual([200, 429])
  })

  it('429: large bodies and large responses cost more than one request', async ({ db, now }) => {
    const app = await testApp(db, () => now, { RATE_LIMIT: 'on', RATE_LIMIT_PER_KEY: 20 })
    const { key } = await newPerson(app, db)
    const headers = { authorization: `Bearer ${key}` }
    const send = (content: string) =>
      app.inject({
        method: 'POST',
        url: '/api/documents',
        headers,
        payload: { title: 'Doc', content },
      })

    const small = await send('short')
    const large = await send('x'.repeat(1_000_000)) // 30 more for the body, 30 for the response

    expect(small.headers.ratelimit).toBe('"key";r=99;t=1')
    expect(large.headers.ratelimit).toBe('"key";r=68;t=2')
    const { headers: after } = await app.inject({ url: '/api/user', headers })
    expect(after.ratelimit).toBe('"key";r=37;t=4')
    expect((await send('x'.repeat(1_000_000))).statusCode).toBe(201)
    const refused = await send('x'.repeat(1_000_000))
    expect(refused.statusCode).toBe(429)
    expect(refused.headers.connection).toBe('close')
  })

  it('429: an address over its rate, before authentication', async ({ db, now }) => {
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, settings)
    const ada = await newPerson(app, db)

    const strangers = [await get(app), await get(app), await get(app), await get(app)]
    const answers = [await get(app, keyOf(ada)), await get(app, keyOf(ada))]

    expect(statuses([...strangers, ...answers])).toEqual([401, 401, 401, 401, 200, 429])
    expect(answers[1]?.headers).toMatchObject({
      'ratelimit-policy': '"address";q=5;w=5',
      ratelimit: '"address";r=0;t=5',
      'retry-after': '1',
    })
    expect((await get(app, keyOf(ada), '10.0.0.2')).statusCode).toBe(200)
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
  })

  it('429: one user with many keys, over the rate per user', async ({ db, now }) => {
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_KEY: 2, RATE_LIMIT_PER_USER: 3 } as const
    const app = await testApp(db, () => now, settings)
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const keys = [ada.key, await anotherKey(db, ada), await anotherKey(db, ada)]

    const answers = []
    for (let count = 0; count < 18; count += 1) {
      answers.push(await get(app, { authorization: `Bearer ${keys[count % 3]}` }))
    }

    expect(statuses(answers)).toEqual([...Array(15).fill(200), 429, 429, 429])
    expect((await get(app, keyOf(grace))).statusCode).toBe(200)
  })

  it('429: all paths except health share the rate of the address', async ({ db, now }) => {
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, settings)
    // The document is large and costs several requests, so it comes last.
    const urls = ['/', '/docs/', '/metrics', '/api/auth/get-session', '/api/openapi.json']

    const first = []
    for (const url of urls) first.push((await app.inject({ url })).statusCode)
    const second = []
    for (const url of [...urls, '/api/nothing', '/assets/nothing.js']) {
      second.push((await app.inject({ url })).statusCode)
    }

    expect(first).toEqual([200, 200, 200, 200, 200])
    expect(second).toEqual(Array(7).fill(429))
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
  })

  it('429: an IPv6 /64 has one rate, and a /48 four times that', async ({ db, now }) => {
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, settings)
    const from = async (addresses: string[]) => {
      const answers = []
      for (const address of addresses) answers.push(await get(app, {}, address))
      return statuses(answers).filter((status) => status === 401).length
    }
    const numbers = Array.from({ length: 30 }, (_, at) => at)

    expect(await from(numbers.map((at) => `2001:db8:1:1::${at}`))).toBe(5)
    expect(await from(numbers.map((at) => `2001:db8:1:${at + 2}::1`))).toBe(15)
    expect(await from(['2001:db8:2::1'])).toBe(1)
    expect(await from(numbers.map(() => '192.0.2.9'))).toBe(5)
    expect(await from(['::ffff:192.0.2.9'])).toBe(0)
  })

  it('uses X-Forwarded-For only from a trusted proxy', async ({ db, now }) => {
    const limits = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, limits)
    const behindProxy = await testApp(db, () => now, { ...limits, TRUST_PROXY: '10.0.0.1' })
    const from = (each: App, at: number) => get(each, { 'x-forwarded-for': `192.0.2.${at}` })

    const spoofed = await Promise.all(Array.from({ length: 6 }, (_, at) => from(app, at)))
    const proxied = await Promise.all(Array.from({ length: 6 }, (_, at) => from(behindProxy, at)))

    expect(statuses(spoofed).filter((status) => status === 429)).toHaveLength(1)
    expect(statuses(proxied)).toEqual(Array(6).fill(401))
  })

  it('200: allows two hundred concurrent requests of one client', async ({ db, now }) => {
    const app = await testApp(db, () => now, { RATE_LIMIT: 'on' })
    const ada = await newPerson(app, db)

    const answers = await Promise.all(Array.from({ length: 200 }, () => get(app, keyOf(ada))))

    expect(statuses(answers)).toEqual(Array(200).fill(200))
  })

  it('off: removes every limit and its headers', async ({ db, now }) => {
    const off = { RATE_LIMIT: 'off', RATE_LIMIT_PER_KEY: 1, RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, off)
    const ada = await newPerson(app, db)

    const answers = await Promise.all(Array.from({ length: 20 }, () => get(app, keyOf(ada))))

    expect(statuses(answers)).toEqual(Array(20).fill(200))
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit')
  })
})
