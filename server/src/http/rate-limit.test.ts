import { type App, describe, expect, it, newPerson, type Person, testApp } from '../../test/it.ts'
import { rateLimiter } from './rate-limit.ts'

const get = (app: App, headers: Record<string, string> = {}, remoteAddress = '10.0.0.1') =>
  app.inject({ url: '/api/labels', headers, remoteAddress })

const keyOf = (person: Person) => ({ authorization: `Bearer ${person.key}` })

const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

describe('rateLimiter', () => {
  it('lets a burst through at once, and then so many a second', () => {
    const take = rateLimiter({ burst: 3, perSecond: 2 })
    const allowed = (time: number) => take('ada', time).allowed

    expect([0, 0, 0, 0].map(allowed)).toEqual([true, true, true, false])
    expect([499, 500, 500].map(allowed)).toEqual([false, true, false])
    expect([1000, 1500, 2000, 2499].map(allowed)).toEqual([true, true, true, false])
  })

  it('is whole again after a rest, and no more than whole', () => {
    const take = rateLimiter({ burst: 3, perSecond: 2 })
    for (let each = 0; each < 5; each += 1) take('ada', 0)

    const later = Array.from({ length: 5 }, () => take('ada', 3_600_000).allowed)

    expect(later).toEqual([true, true, true, false, false])
  })

  it('tells what is left, and when to come again', () => {
    const take = rateLimiter({ burst: 2, perSecond: 0.1 })

    expect(take('ada', 0)).toMatchObject({ allowed: true, remaining: 1, wholeInSeconds: 10 })
    expect(take('ada', 0)).toMatchObject({ allowed: true, remaining: 0, wholeInSeconds: 20 })
    expect(take('ada', 0)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 10 })
    expect(take('ada', 9_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    expect(take('ada', 10_000)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('is not charged by those it refuses', () => {
    const take = rateLimiter({ burst: 1, perSecond: 1 })
    take('ada', 0)

    for (let time = 1; time < 1000; time += 1) take('ada', time)

    expect(take('ada', 1000).allowed).toBe(true)
  })

  it('counts each for themselves', () => {
    const take = rateLimiter({ burst: 1, perSecond: 1 })

    expect([take('ada', 0).allowed, take('grace', 0).allowed]).toEqual([true, true])
  })

  it('remembers a bounded number of callers, and forgets those who rest before others', () => {
    const take = rateLimiter({ burst: 1, perSecond: 1 })
    for (let at = 0; at < 49_999; at += 1) take(`resting ${at}`, 0)
    take('ada', 1000)

    for (let at = 0; at < 100; at += 1) take(`new ${at}`, 1000)

    expect(take('ada', 1000).allowed).toBe(false)
  })
})

describe('RATE_LIMIT', () => {
  it('429: a key beyond its rate; another key and another time are another matter', async ({
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

  it('429: an address beyond its rate, before anyone asks who is calling', async ({ db, now }) => {
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

  it('minds X-Forwarded-For only from a proxy that it was told to trust', async ({ db, now }) => {
    const limits = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, limits)
    const behindProxy = await testApp(db, () => now, { ...limits, TRUST_PROXY: '10.0.0.1' })
    const from = (each: App, at: number) => get(each, { 'x-forwarded-for': `192.0.2.${at}` })

    const spoofed = await Promise.all(Array.from({ length: 6 }, (_, at) => from(app, at)))
    const proxied = await Promise.all(Array.from({ length: 6 }, (_, at) => from(behindProxy, at)))

    expect(statuses(spoofed).filter((status) => status === 429)).toHaveLength(1)
    expect(statuses(proxied)).toEqual(Array(6).fill(401))
  })

  it('200: two hundred requests of one client at once are ordinary use', async ({ db, now }) => {
    const app = await testApp(db, () => now, { RATE_LIMIT: 'on' })
    const ada = await newPerson(app, db)

    const answers = await Promise.all(Array.from({ length: 200 }, () => get(app, keyOf(ada))))

    expect(statuses(answers)).toEqual(Array(200).fill(200))
  })

  it('off: lifts every limit, and says nothing of one', async ({ db, now }) => {
    const off = { RATE_LIMIT: 'off', RATE_LIMIT_PER_KEY: 1, RATE_LIMIT_PER_ADDRESS: 1 } as const
    const app = await testApp(db, () => now, off)
    const ada = await newPerson(app, db)

    const answers = await Promise.all(Array.from({ length: 20 }, () => get(app, keyOf(ada))))

    expect(statuses(answers)).toEqual(Array(20).fill(200))
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit')
  })
})
