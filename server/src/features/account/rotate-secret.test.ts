import { encryptWith, keyIdOf } from '../../platform/auth/encryption.ts'
import { connect, type Database } from '../../platform/db/database.ts'
import { describe, expect, it as base, newPerson, type Person, testApp } from '../../../test/it.ts'
import { openAddress } from '../calendars/fetch-calendar.ts'
import { rotateSecret } from './rotate-secret.ts'

const old = 'the secret that has leaked, and is replaced'
const current = 'the secret that is used from now on, alone'
const rotation = { AUTH_SECRET: current, AUTH_SECRET_PREVIOUS: [old] }
const only = (secret: string) =>
  encryptWith({ current: async () => secret, former: async () => [] })

const it = base
  .extend('before', { scope: 'file' }, ({ db, now }) =>
    testApp(db, () => now, { AUTH_SECRET: old }),
  )
  .extend('after', { scope: 'file' }, ({ db, now }) =>
    testApp(db, () => now, { AUTH_SECRET: current }),
  )
  .extend('owner', ({ before, db }) => newPerson(before, db))
  .extend('other', ({ before, db }) => newPerson(before, db))

const webhook = { url: 'https://example.com/hook' }
const repeated = { 'idempotency-key': 'once' }

/** Something of every kind that is encrypted. */
async function fill(db: Database, { id, post }: Person) {
  const made = await post('/api/webhooks', webhook, repeated)
  const { body: rotated } = await post(`/api/webhooks/${made.body.id}/secret`)
  const url = 'https://dav.example.com/ada/'
  await post('/api/calendars', { url, username: 'ada', password: 'apple' })
  const sealedUrl = await only(old).close(
    JSON.stringify({ url, username: 'ada', password: 'pear' }),
  )
  await db.pool.query(
    `insert into plan_calendars (user_id, id, name, sealed_url, host, username, detail, two_way)
     values ($1, gen_random_uuid(), 'Plan', $2, 'dav.example.com', 'ada', 'full', false)`,
    [id, sealedUrl],
  )
  await db.pool.query(
    `insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
     values ($1, gen_random_uuid(), 'google', 'ada@example.com', $2)`,
    [id, await only(old).close('tokens')],
  )
  return { made, secret: rotated.secret as string }
}

/** Every encrypted text of a user, by what it is. */
async function textsOf(db: Database, { id }: Person) {
  const { rows } = await db.pool.query<{ what: string; sealed: string }>(
    `select 'secret' as what, secret as sealed from webhooks where user_id = $1
      union all select 'former secret', former_secret from webhooks where user_id = $1
      union all select 'calendar', sealed_url from calendars where user_id = $1
      union all select 'plan calendar', sealed_url from plan_calendars where user_id = $1
      union all select 'tokens', sealed_tokens from connected_accounts where user_id = $1
      union all select 'answer', body from idempotency_keys where user_id = $1`,
    [id],
  )
  return Object.fromEntries(rows.map(({ what, sealed }) => [what, sealed]))
}

const answerBytesOf = async (db: Database, { id }: Person) =>
  (
    await db.pool.query(
      `select answer_bytes::int as counted,
              (select sum(300 + 2 * octet_length(key) + octet_length(body))::int
                 from idempotency_keys where user_id = $1) as stored
         from user_state where user_id = $1`,
      [id],
    )
  ).rows[0]

describe('rotateSecret', () => {
  it('encrypts everything again, so that the former secret is no longer needed', async ({
    owner: ada,
    after,
    db,
  }) => {
    const { made, secret } = await fill(db, ada)
    const { rows } = await db.pool.query<{ secret: string }>('select secret from auth.instance')
    await db.pool.query('update connected_accounts set sealed_tokens = $2 where user_id = $1', [
      ada.id,
      await only(rows[0]!.secret).close('tokens'),
    ])

    expect(await rotateSecret(db, rotation)).toEqual({ renewed: 6, lost: 0 })

    const texts = await textsOf(db, ada)
    expect(Object.values(texts).every((text) => text.startsWith(`${keyIdOf(current)}.`))).toBe(true)
    const open = (what: string) => only(current).open(texts[what] ?? '')
    expect(await open('secret')).toBe(secret)
    expect(await open('former secret')).toBe(made.body.secret)
    expect(await open('tokens')).toBe('tokens')
    for (const [what, password] of [
      ['calendar', 'apple'],
      ['plan calendar', 'pear'],
    ] as const) {
      const sealed = { sealed_url: texts[what] ?? '', username: 'ada' }
      expect(await openAddress(only(current), sealed)).toEqual({
        url: 'https://dav.example.com/ada/',
        credentials: { username: 'ada', password },
      })
    }
    const replayed = await after.inject({
      method: 'POST',
      url: '/api/webhooks',
      payload: webhook,
      headers: { authorization: `Bearer ${ada.key}`, ...repeated },
    })
    expect(replayed.json()).toEqual(made.body)
    const { counted, stored } = await answerBytesOf(db, ada)
    expect(counted).toBe(stored)
    const { rows: own } = await db.pool.query('select secret from auth.instance')
    expect(own).not.toEqual(rows)
  })

  it('is continued after an interruption, and leaves alone what is done', async ({
    owner: ada,
    other: grace,
    db,
    url,
  }) => {
    await fill(db, ada)
    await fill(db, grace)
    const [first, second] = [ada, grace].toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [
      Person,
      Person,
    ]
    const blocker = await db.pool.connect()
    const impatient = connect(url, { statementTimeoutMs: 500 })
    try {
      await blocker.query('begin')
      await blocker.query('select from connected_accounts where user_id = $1 for update', [
        second.id,
      ])
      await expect(rotateSecret(impatient, rotation)).rejects.toThrow()
    } finally {
      await blocker.query('rollback')
      blocker.release()
      await impatient.end()
    }
    const done = await textsOf(db, first)
    const isNew = (text: string) => text.startsWith(`${keyIdOf(current)}.`)
    expect(Object.values(done).every(isNew)).toBe(true)
    expect(Object.values(await textsOf(db, second)).some(isNew)).toBe(false)

    expect(await rotateSecret(db, rotation)).toEqual({ renewed: 6, lost: 0 })

    expect(await textsOf(db, first)).toEqual(done)
    expect(Object.values(await textsOf(db, second)).every(isNew)).toBe(true)
    expect(await rotateSecret(db, rotation)).toEqual({ renewed: 0, lost: 0 })
  })

  it('leaves alone and counts what no secret can read', async ({ owner: ada, db }) => {
    await fill(db, ada)
    const lost = await only('a third secret').close('tokens')
    await db.pool.query('update connected_accounts set sealed_tokens = $2 where user_id = $1', [
      ada.id,
      lost,
    ])

    expect(await rotateSecret(db, rotation)).toEqual({ renewed: 5, lost: 1 })

    expect(await textsOf(db, ada)).toMatchObject({ tokens: lost })
    await db.pool.query('delete from connected_accounts where user_id = $1', [ada.id])
  })

  it('renews secrets of webhooks from before they were encrypted', async ({ owner: ada, db }) => {
    const { made } = await fill(db, ada)
    await db.pool.query('update webhooks set secret = $2 where user_id = $1', [
      ada.id,
      made.body.secret,
    ])

    await rotateSecret(db, rotation)

    expect(await only(current).open((await textsOf(db, ada)).secret ?? '')).toBe(made.body.secret)
  })

  it('needs a new secret', async ({ db }) => {
    await expect(rotateSecret(db, {})).rejects.toThrow('Set AUTH_SECRET to a new secret first')
  })
})
