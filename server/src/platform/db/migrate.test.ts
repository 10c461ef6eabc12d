import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../../test/databases.ts'
import { migrate } from './migrate.ts'
import { requireCurrentSchema } from './schema-version.ts'

const ours = new URL('../../../migrations/', import.meta.url)

/** The migrations of this version plus the given ones. */
async function newFolder(migrations: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(ours, folder, { recursive: true })
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function newDatabase(template?: string) {
  const { url, drop } = await createDatabase(inject('server'), template)
  onTestFinished(drop)
  return url
}

async function session(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe('the migrations', () => {
  it('are numbered without gaps or duplicates', async () => {
    const numbers = (await readdir(ours)).toSorted().map((name) => Number(name.split('_')[0]))

    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})

describe('a migration', () => {
  it('does not block readers while it waits for a long one: it times out, pauses and retries', async () => {
    const url = await newDatabase(inject('template'))
    const folder = await newFolder({ '0900_wide.sql': 'alter table labels add column wide text' })
    const [reader, other] = [await session(url), await session(url)]
    await reader.query('begin; select from labels')

    // A read that waited behind the migration would wait for ever: the first reader commits after the last read.
    const migrating = migrate(url, folder)
    for (let reads = 0; reads < 200; reads += 1) {
      await other.query('select from labels')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await reader.query('commit')
    await migrating

    expect((await other.query('select wide from labels')).rows).toEqual([])
  })

  it('that fails is rolled back, and earlier ones stay applied', async () => {
    const url = await newDatabase(inject('template'))
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

  it('that has changed since it was applied is refused, and nothing is run', async () => {
    const url = await newDatabase(inject('template'))
    await migrate(url, await newFolder({ '0920_first.sql': 'create table first ()' }))
    const changed = await newFolder({
      '0920_first.sql': 'create table first (id int)',
      '0921_second.sql': 'create table second ()',
    })

    await expect(migrate(url, changed)).rejects.toThrow('0920_first.sql has changed')

    const { rows } = await (await session(url)).query(`select to_regclass('second') as second`)
    expect(rows).toEqual([{ second: null }])
  })

  it('that was applied before there were checksums gets one', async () => {
    const url = await newDatabase(inject('template'))
    const client = await session(url)
    const folder = await newFolder({ '0930_old.sql': 'create table old ()' })
    await migrate(url, folder)
    await client.query('update migrations set checksum = null')

    await migrate(url, folder)

    const { rows } = await client.query(
      'select where (select bool_and(checksum is not null) from migrations)',
    )
    expect(rows).toHaveLength(1)
  })
})

describe('a schema of another version', () => {
  const newer = (client: pg.Client) =>
    client.query(`insert into migrations values ('0999_future.sql')`)

  it('is refused at the start of an older version, which changes nothing', async () => {
    const url = await newDatabase(inject('template'))
    const client = await session(url)
    await newer(client)
    const folder = await newFolder({ '0990_ours.sql': 'create table ours ()' })

    const starting = migrate(url, folder)

    await expect(starting).rejects.toThrow(
      /brought up to date by a newer version of Daywright \(0999_future\.sql\)/,
    )
    const { rows } = await client.query(`select to_regclass('ours') as ours`)
    expect(rows).toEqual([{ ours: null }])
  })

  it('is refused by commands that need the current schema, and not changed', async () => {
    const [empty, current] = [await newDatabase(), await newDatabase(inject('template'))]
    const folder = await newFolder({ '0990_ours.sql': 'create table ours ()' })

    await requireCurrentSchema(current)
    await expect(requireCurrentSchema(empty)).rejects.toThrow('The database is empty')
    await expect(requireCurrentSchema(current, folder)).rejects.toThrow('from an older version')
    const client = await session(current)
    await newer(client)
    await expect(requireCurrentSchema(current)).rejects.toThrow('a newer version')

    const { rows } = await client.query(`select to_regclass('ours') as ours`)
    expect(rows).toEqual([{ ours: null }])
  })
})
