import { type App, describe, expect, it, signUp, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'

const password = 'correct horse battery staple'
const limits = { RATE_LIMIT: 'on' } as const

type Guess = { email: string; from: string; given?: string; cookie?: string }

const signIn = (app: App, { email, from, given = 'a wrong password', cookie }: Guess) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: from,
    headers: cookie === undefined ? {} : { cookie },
    payload: { email, password: given },
  })

const statusesOf = async (count: number, act: (at: number) => ReturnType<typeof signIn>) => {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await act(at)).statusCode)
  return statuses
}

/** A user, a service with limits, and a clock. */
async function arrange(app: App, db: Database, now: Date) {
  const clock = { time: now.getTime() }
  const limited = await testApp(db, () => new Date(clock.time), limits)
  const { email, cookie } = await signUp(app)
  const browser = cookie.split('; ').find((each) => each.startsWith('daywright.browser=')) ?? ''
  return { limited, email, browser, clock }
}

describe('wrong passwords', () => {
  it('are counted; the right one may be sent any number of times', async ({ app, db, now }) => {
    const { limited, email } = await arrange(app, db, now)

    const statuses = await statusesOf(12, () =>
      signIn(limited, { email, from: '10.0.0.1', given: password }),
    )

    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('429: after five from one network; one more is allowed after 24 seconds', async ({
    app,
    db,
    now,
  }) => {
    const { limited, email, clock } = await arrange(app, db, now)
    const attack = () => signIn(limited, { email, from: '10.0.0.1' })
    expect(await statusesOf(6, attack)).toEqual([401, 401, 401, 401, 401, 429])

    clock.time += 24_000
    expect(await statusesOf(2, attack)).toEqual([401, 429])
  })

  it('200: from one network do not lock the account for another', async ({ app, db, now }) => {
    const { limited, email, clock } = await arrange(app, db, now)

    const owner: number[] = []
    for (let second = 0; second < 90; second += 1.5) {
      clock.time += 1500
      await signIn(limited, { email, from: '10.0.0.1' })
      if (second % 6 === 0) {
        const answer = await signIn(limited, { email, from: '10.9.9.9', given: password })
        owner.push(answer.statusCode)
      }
    }

    expect(owner).toEqual(owner.map(() => 200))
  })

  it('200: from many networks do not lock out a browser that has signed in before', async ({
    app,
    db,
    now,
  }) => {
    const { limited, email, browser } = await arrange(app, db, now)
    const attack = await statusesOf(30, (at) => signIn(limited, { email, from: `10.1.0.${at}` }))
    expect(attack.filter((status) => status === 401)).toHaveLength(20)
    const from = '10.9.9.9'
    expect((await signIn(limited, { email, from, given: password })).statusCode).toBe(429)

    const known = await signIn(limited, { email, from, given: password, cookie: browser })

    expect(known.statusCode).toBe(200)
  })

  it('429: after five from a known browser, which is known for its own account only', async ({
    app,
    db,
    now,
  }) => {
    const { limited, email, browser } = await arrange(app, db, now)
    const other = await signUp(app)

    const own = await statusesOf(7, (at) =>
      signIn(limited, { email, from: `10.2.0.${at}`, cookie: browser }),
    )
    const foreign = await statusesOf(22, (at) =>
      signIn(limited, { email: other.email, from: `10.3.0.${at}`, cookie: browser }),
    )

    expect(own).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(foreign.filter((status) => status === 401)).toHaveLength(20)
  })

  it('429: from one IPv6 /64 count as one network', async ({ app, db, now }) => {
    const { limited, email } = await arrange(app, db, now)

    const ofOne = await statusesOf(10, (at) =>
      signIn(limited, { email, from: `2001:db8:1:2::${at + 1}` }),
    )
    const ofMany = await statusesOf(40, (at) =>
      signIn(limited, { email: `no-${at}@example.com`, from: `2001:db8:3:4::${at + 1}` }),
    )

    expect(ofOne.filter((status) => status === 401)).toHaveLength(5)
    expect(ofMany.filter((status) => status === 401)).toHaveLength(30)
  })

  it('200: at sign-up are not counted for the account', async ({ app, db, now }) => {
    const { limited, email } = await arrange(app, db, now)

    for (let at = 0; at < 25; at += 1) {
      await limited.inject({
        method: 'POST',
        url: '/api/auth/sign-up/email',
        remoteAddress: `10.4.0.${at}`,
        payload: { email, password: 'another long sentence', name: 'Ada' },
      })
    }

    const answer = await signIn(limited, { email, from: '10.9.9.9', given: password })
    expect(answer.statusCode).toBe(200)
  })
})
