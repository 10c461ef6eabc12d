import pg from 'pg'
import { onTestFinished } from 'vitest'
import { describe, expect, it } from '../../../test/it.ts'
import { finish, newFolder, serve } from '../../../test/programs.ts'
import { embeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { connect } from './database.ts'
import { requireDurable } from './durability.ts'

const refuses = (url: string) => {
  const db = connect(url)
  onTestFinished(() => db.end())
  return expect(requireDurable(db))
}

/** A separate PostgreSQL, to be misconfigured. */
async function ownPostgres() {
  const postgres = embeddedPostgres(await newFolder())
  await postgres.start()
  const admin = new pg.Client(postgres.url.replace('//daywright@', '//postgres@'))
  await admin.connect()
  onTestFinished(async () => {
    await admin.end()
    await postgres.stop()
  })
  return {
    url: postgres.url,
    set: async (name: string, value: string) => {
      await admin.query(`alter system set ${name} = ${value}`)
      await admin.query('select pg_reload_conf()')
      await expect
        .poll(async () => (await admin.query(`show ${name}`)).rows)
        .toEqual([{ [name]: value }])
    },
  }
}

describe('requireDurable', { timeout: 60_000 }, () => {
  it('names each setting that is off, and accepts a PostgreSQL where all are on', async () => {
    const { url, set } = await ownPostgres()

    await refuses(url).resolves.toBeUndefined()
    await set('full_page_writes', 'off')
    await refuses(url).rejects.toThrow('crashes: full_page_writes is off. Switch')
    await set('fsync', 'off')
    await refuses(url).rejects.toThrow('crashes: fsync is off, full_page_writes is off. Switch')
    await set('full_page_writes', 'on')
    await refuses(url).rejects.toThrow('crashes: fsync is off. Switch')
  })

  it('refuses a setting that is off for this connection only', async ({ url }) => {
    const off = `${url}${url.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Doff`

    await refuses(off).rejects.toThrow('synchronous_commit is off')
  })

  it('makes the service exit with 1 and say why, unless UNSAFE_DATABASE allows it', async () => {
    const { url, set } = await ownPostgres()
    await set('fsync', 'off')

    const refused = await finish({ DATABASE_URL: url, UNSAFE_DATABASE: 'refuse' }, 'api.ts')
    const allowed = serve({ DATABASE_URL: url, UNSAFE_DATABASE: 'allow' })

    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('fsync is off. Switch it on.')
    await allowed.ready()
    allowed.child.kill('SIGTERM')
    expect(await allowed.exit).toEqual([0, null])
  })
})
