import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { describe, expect, it } from '../../test/it.ts'
import { migrate } from './migrate.ts'

async function newFolder(migrations: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function session(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe('a migration', () => {
  it('behind a long reader stops nobody: it waits a moment, lets them pass and tries again', async ({
    url,
  }) => {
    const folder = await newFolder({ '0900_wide.sql': 'alter table labels add column wide text' })
    const [reader, other] = [await session(url), await session(url)]
    await reader.query('begin; select from labels')

    const migrating = migrate(url, folder)
    const waits: number[] = []
    for (const until = performance.now() + 1500; performance.now() < until;) {
      const before = performance.now()
      await other.query('select from labels')
      waits.push(performance.now() - before)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await reader.query('commit')
    await migrating

    expect(Math.max(...waits)).toBeLessThan(500)
    await other.query('select wide from labels')
  })

  it('that fails leaves nothing, and the ones before it stay', async ({ url }) => {
    const folder = await newFolder({
      '0910_good.sql': 'create table good ()',
      '0911_bad.sql': 'create table half (); select 1 / 0',
    })

    await expect(migrate(url, folder)).rejects.toThrow('division by zero')

    const { rows } = await (
      await session(url)
    ).query(
      `select to_regclass('good') is not null as good, to_regclass('half') is not null as half`,
    )
    expect(rows).toEqual([{ good: true, half: false }])
  })
})
