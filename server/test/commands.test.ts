// The commands, as an operator runs them: which database they use, what they leave alone, and their exit code.
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { migrate } from '../src/platform/db/migrate.ts'
import { createDatabase } from './databases.ts'
import { describe, expect, it } from './it.ts'
import { finish, newFolder, root, type Settings } from './programs.ts'

const ada = ['--email', 'ada@example.com']

async function newDatabase(template?: string) {
  const { url, drop } = await createDatabase(inject('server'), template)
  onTestFinished(drop)
  return url
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const appliedMigrations = async (url: string) =>
  (await ask(url, 'select name from migrations order by name')).map(({ name }) => name)

const isServerRunning = (folder: string) => existsSync(join(folder, 'database/postmaster.pid'))

describe('without a database', { timeout: 60_000 }, () => {
  it.for([
    ['backup.ts', 'write', '/tmp/never-written.gz'],
    ['account.ts', 'create', ...ada],
    ['account.ts', 'key', ...ada],
    ['account.ts', 'admin', ...ada],
    ['migrate.ts'],
  ])('%s %s creates no database, and prints where it looked', async ([program = '', ...args]) => {
    const folder = join(await newFolder(), 'mistyped')

    const { code, stdout, stderr } = await finish({ DAYWRIGHT_DATA: folder }, program, ...args)

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`data in ${folder}\n`)
    expect(stderr).toContain('There is no database yet.')
    expect(existsSync(folder)).toBe(false)
  })

  it('root uses XDG_DATA_HOME, as other users do', async () => {
    const folder = await newFolder()

    const { stderr } = await finish({ XDG_DATA_HOME: folder }, 'account.ts', 'key', ...ada)

    expect(stderr).toContain(`data in ${folder}/daywright\n`)
  })
})

describe('npm run backup', { timeout: 60_000 }, () => {
  it('fails if there are no accounts: it is the wrong database', async () => {
    const file = join(await newFolder(), 'empty.gz')
    const write = (url: string) => finish({ DATABASE_URL: url }, 'backup.ts', 'write', file)

    const [migrated, empty] = [
      await write(await newDatabase(inject('template'))),
      await write(await newDatabase()),
    ]

    for (const { code, stderr } of [migrated, empty]) {
      expect(code).toBe(1)
      expect(stderr).toContain('There are no accounts in this database: nothing was backed up')
    }
    expect(await readdir(join(file, '..'))).toEqual([])
  })

  it('does not migrate an older schema; a restore does', async () => {
    const settings = { DATABASE_URL: await newDatabase() }
    const file = join(await newFolder(), 'older.gz')
    const all = (await readdir(join(root, 'server/migrations'))).toSorted()
    const older = all.slice(0, -1)
    await migrate(settings.DATABASE_URL, undefined, older)
    await ask(
      settings.DATABASE_URL,
      `insert into users (id, email, display_name) values (gen_random_uuid(), 'a@b.example', 'Ada')`,
    )

    const written = await finish(settings, 'backup.ts', 'write', file)
    const account = await finish(settings, 'account.ts', 'key', ...ada)

    expect(written).toMatchObject({ code: 0 })
    expect(account).toMatchObject({ code: 1, stdout: '' })
    expect(account.stderr).toContain('The database is from an older version of Daywright')
    expect(await appliedMigrations(settings.DATABASE_URL)).toEqual(older)
    const restored = { DATABASE_URL: await newDatabase() }
    expect(await finish(restored, 'backup.ts', 'restore', file)).toMatchObject({ code: 0 })
    expect(await appliedMigrations(restored.DATABASE_URL)).toEqual(all)
    const upToDate = { DATABASE_URL: await newDatabase(inject('template')) }
    const refused = await finish(upToDate, 'backup.ts', 'restore', file)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('The backup is from an older version of Daywright')
  })
})

describe('rotate-secret', { timeout: 60_000 }, () => {
  it('encrypts with the new secret, and needs one', async () => {
    const settings = { DATABASE_URL: await newDatabase(inject('template')) }
    await finish(settings, 'account.ts', 'create', ...ada)

    const refused = await finish(settings, 'account.ts', 'rotate-secret')
    const AUTH_SECRET = 'the secret that is used from now on, alone'
    const done = await finish({ ...settings, AUTH_SECRET }, 'account.ts', 'rotate-secret')

    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('Set AUTH_SECRET to a new secret first')
    expect(done).toMatchObject({ code: 0, stdout: '' })
    expect(done.stderr).toContain('Encrypted again: 0. Encrypted with an unknown secret: 0\n')
  })
})

describe('a wrong path', { timeout: 60_000 }, () => {
  it('is reported without a stack, and no PostgreSQL is left running', async () => {
    const folder = await newFolder()
    const settings: Settings = { DAYWRIGHT_DATA: folder }
    await finish(settings, 'account.ts', 'create', ...ada, '--create-database')
    const [text, cut] = [join(folder, 'text'), join(folder, 'cut.gz')]
    await writeFile(text, 'no backup')
    await writeFile(cut, gzipSync('{"daywright":"backup"'))
    const inFolderThatIsNot = join(folder, 'missing/x.gz')

    const missing = await finish(settings, 'backup.ts', 'restore', join(folder, 'missing.gz'))
    const nowhere = await finish(settings, 'backup.ts', 'write', inFolderThatIsNot)
    const other = await finish(settings, 'backup.ts', 'restore', text)
    const half = await finish(settings, 'backup.ts', 'restore', cut)

    const told = [missing, nowhere, other, half].map(({ stderr }) => stderr.split('\n').slice(1))
    expect(told).toEqual([
      [`${folder}/missing.gz: no such file or directory`, ''],
      [`${inFolderThatIsNot}.unfinished: no such file or directory`, ''],
      [`${text} is not a backup, or is damaged`, ''],
      [`${cut} is not a backup`, ''],
    ])
    expect([missing.code, nowhere.code, other.code, half.code]).toEqual([1, 1, 1, 1])
    expect(isServerRunning(folder)).toBe(false)
  })
})

describe('--help', () => {
  it.for([
    ['account.ts', '--help'],
    ['backup.ts', 'write', '--help'],
    ['backup.ts', 'restore', '--help'],
    ['migrate.ts', '--help'],
  ])('%s %s %s: prints the usage and exits with 0', async ([program = '', ...args]) => {
    const { code, stdout, stderr } = await finish({}, program, ...args)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^npm run /)
  })

  it.for([
    ['account.ts', 'key', '--emial', 'ada@example.com'],
    ['backup.ts', 'write'],
    ['backup.ts', 'restore', 'one', 'two'],
    ['migrate.ts', 'now'],
  ])(
    '%s %s: prints the usage to standard error and exits with 2 if misused',
    async ([program = '', ...args]) => {
      const { code, stdout, stderr } = await finish({}, program, ...args)

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^npm run /)
      expect(stderr).not.toContain('    at ')
    },
  )
})
