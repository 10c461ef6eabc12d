// Runs PostgreSQL's programs directly instead of through pg_ctl, which builds a shell command from paths, polls
// only every 100 ms, and cannot be told about a stale lock file.
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { User } from './data-folder.ts'
import { withPlainPath } from './plain-path.ts'

// PGPORT, PGOPTIONS and the like must not reach PostgreSQL. Messages stay English, and times UTC.
const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' })

/** Runs a program to its end; the error's message has its output. */
export async function run(program: string, options: string[], user: User, input = '') {
  const running = promisify(execFile)(program, options, { ...user, cwd: '/', env: environment() })
  running.child.stdin?.on('error', () => {}).end(input) // it may exit before it reads
  return running
}

/** Initializes a cluster in an empty folder, with its role and database. */
export async function initialise(bin: string, folder: string, user: User) {
  const choices =
    '--username=postgres --auth-local=trust --auth-host=reject --encoding=UTF8 --locale=C ' +
    '--data-checksums --no-instructions'
  await withPlainPath(bin, user, (programs) =>
    run(join(programs, 'initdb'), ['-D', folder, ...choices.split(' ')], user),
  )
  await run(
    join(bin, 'postgres'),
    ['--single', '-D', folder, '-c', 'exit_on_error=on', 'postgres'],
    user,
    'create role daywright login createdb\ncreate database daywright owner daywright\n',
  )
}

/** In the data folder, unless the path is too long: a socket path may have 103 bytes on macOS and 107 on Linux. */
export function socketFolder(folder: string, user: User) {
  const inside = join(folder, 'socket')
  if (Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= 103) return inside
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(tmpdir(), `daywright-${user.uid}-${hash}`)
}

type Launch = {
  bin: string
  cluster: string
  socket: string
  log: string
  user: User
  stalePid: number
}

/** Starts the server in its own session, so that neither Ctrl-C nor our death ends it. */
export async function launch({ bin, cluster, socket, log, user, stalePid }: Launch) {
  await using file = await fs.open(log, 'a', 0o600)
  const { size } = await file.stat()
  const start = size > 10_000_000 ? 0 : size
  if (start === 0) await file.truncate()
  const settings = {
    listen_addresses: '',
    port: 5432,
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    shared_buffers: '128MB',
    log_checkpoints: 'off',
  }
  const child = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      cluster,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    {
      ...user,
      cwd: '/',
      // PostgreSQL treats a lock file with this pid as stale, but still looks for orphans in shared memory first.
      // Removing the file ourselves would remove that protection.
      env: { ...environment(), PG_GRANDPARENT_PID: String(stalePid) },
      detached: true,
      stdio: ['ignore', file.fd, file.fd],
    },
  )
  child.unref()
  await once(child, 'spawn')
  return {
    /** Refused: another server is starting or stopping here, or processes of a dead one are left. */
    async state() {
      if (child.exitCode === null && child.signalCode === null) return 'running'
      if (!child.exitCode) return 'gone'
      const said = (await fs.readFile(log)).toString('utf8', start)
      return /lock file|shared memory block/.test(said) ? 'refused' : 'failed'
    },
  }
}

/** The pid in the cluster's lock file (0 if none), and whether that process is our server. */
export async function postmaster(cluster: string) {
  const content = await fs.readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Math.abs(Number.parseInt(content, 10)) || 0
  return { pid, isRunning: pid !== 0 && (await isServer(pid, cluster)) }
}

// After a crash, or in a new container, the pid may belong to another process or a zombie.
export async function isServer(pid: number, cluster: string) {
  if (process.platform !== 'linux') {
    const ps = promisify(execFile)('ps', ['-o', 'state=,comm=', '-p', String(pid)])
    return /^[^Z]\S*\s.*\bpostgres$/m.test((await ps.catch(() => ({ stdout: '' }))).stdout)
  }
  const status = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  if (!/\(postgres\) [^ZX]/.test(status)) return false
  // A server's working directory is its cluster. If we cannot read it, we assume it is ours.
  const home = await fs.stat(cluster)
  const { dev, ino } = await fs.stat(`/proc/${pid}/cwd`).catch(() => home)
  return dev === home.dev && ino === home.ino
}

export async function logTail(log: string) {
  return (await fs.readFile(log, 'utf8').catch(() => '')).slice(-2000).trim()
}
