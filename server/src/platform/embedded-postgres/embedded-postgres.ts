// The bundled PostgreSQL, used without a DATABASE_URL: no port, no password, nothing to install.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { findBinaries, usableBinaries } from './binaries.ts'
import { buildWhole, openFolder, privateFolder, requireOwner, serverUser } from './data-folder.ts'
import { initialise, isServer, launch, logTail, postmaster, socketFolder } from './postmaster.ts'

export { defaultDataFolder } from './data-folder.ts'

/** The time limit for starting (mostly crash recovery) or stopping. */
const patienceMs = 60_000

export function embeddedPostgres(dataFolder: string) {
  const folder = resolve(dataFolder)
  const cluster = join(folder, 'database')
  const log = join(folder, 'postgres.log')
  const user = serverUser()
  const socket = socketFolder(folder, user)
  const binaries = findBinaries(cluster, majorVersion(cluster))
  let presence: Client | undefined
  let starting: Promise<void> | undefined
  let lost = () => {}

  async function start() {
    await openFolder(folder, user)
    await requireOwner(cluster, user)
    await privateFolder(socket, user)
    const bin = await usableBinaries(binaries, folder, user)
    await buildWhole(cluster, user, (temporary) => initialise(bin, temporary, user))
    const deadline = Date.now() + patienceMs
    let server: Awaited<ReturnType<typeof launch>> | undefined
    for (;;) {
      const client = await enter(socket)
      if (client) return stay(client)
      const state = await server?.state()
      if (state === 'failed') throw await failure('did not start')
      if (Date.now() > deadline) throw await failure(`does not answer in ${socket}`)
      const { pid, isRunning } = await postmaster(cluster)
      if (state !== 'running' && !isRunning) {
        if (state === 'refused') await sleep(200) // processes of a dead server are still exiting
        server = await launch({ bin, cluster, socket, log, user, stalePid: pid })
      }
      await sleep(20)
    }
  }

  function stay(client: Client) {
    presence = client
    client.once('end', () => {
      if (presence !== client) return // stopped meanwhile
      presence = undefined
      lost()
    })
  }

  async function stop() {
    await starting?.catch(() => {})
    const client = presence
    if (!client) return
    presence = undefined
    try {
      if (!(await isLast(client))) return
      const { pid, isRunning } = await postmaster(cluster)
      if (!isRunning) return
      process.kill(pid, 'SIGINT') // a "fast" shutdown: disconnects clients and writes everything
      const deadline = Date.now() + patienceMs
      while (await isServer(pid, cluster)) {
        if (Date.now() > deadline) throw await failure('does not stop')
        await sleep(10)
      }
    } finally {
      await client.end()
    }
  }

  const failure = async (what: string) =>
    new Error(`PostgreSQL ${what}. The end of ${log}:\n${await logTail(log)}`)

  return {
    /** Known before the server runs, so a pool can be created first. */
    url: url(socket, 'daywright'),
    /** One line for the log. */
    describe: `Bundled PostgreSQL ${binaries.version}, data in ${folder}`,
    /** Whether there is data already; otherwise start creates an empty cluster. */
    exists: () => majorVersion(cluster) !== undefined,
    /** Starts the server, or joins the one that another process has started on this folder. */
    async start() {
      if (presence) return
      starting ??= start().finally(() => {
        starting = undefined
      })
      await starting
    },
    /** `listener` is called when the server ends or disconnects us unexpectedly. */
    onLost(listener: () => void) {
      lost = listener
    },
    /** Disconnects, and stops the server if no other process uses it. Close your own pool first. */
    stop,
  }
}

// `localhost` only makes it a valid URL: `host` overrides it, and the rest overrides PGPORT and PGSSLMODE.
const url = (socket: string, role: string) =>
  `postgres://${role}@localhost:5432/daywright?host=${encodeURIComponent(socket)}&sslmode=disable`

/**
 * Connects under a shared lock, which each handle holds from start to stop. A pool closes idle connections, so
 * counting connections alone would stop the server under an idle process.
 */
async function enter(socket: string) {
  const client = new Client({
    connectionString: url(socket, 'postgres'),
    connectionTimeoutMillis: patienceMs,
  })
  client.on('error', () => {}) // the server is gone: 'end' follows
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared(0)')
    return client
  } catch (error) {
    await client.end()
    if (isLasting(error)) throw error
    return undefined
  }
}

/**
 * True if no other process uses the server. The exclusive lock is kept then, so that a new process waits
 * until the server is gone, and starts another.
 */
async function isLast(client: Client) {
  try {
    await client.query('select pg_advisory_unlock_shared(0)')
    const lock = await client.query('select where pg_try_advisory_lock(0)')
    if (lock.rowCount === 0) return false
    // Connections closed just now, such as the caller's own, take a moment to end.
    for (let tries = 0; tries < 10; tries++) {
      const others = await client.query<{ wait_event: string | null }>(`
        select wait_event from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`)
      if (others.rowCount === 0) return true
      if (others.rows.some((other) => other.wait_event === 'advisory')) return false // a new process is starting
      await sleep(50)
    }
    return false
  } catch (error) {
    if (isLasting(error)) throw error
    return false // another process stopped it meanwhile
  }
}

// 57P..: the server starts up or shuts down. No SQLSTATE at all: the connection was refused or closed.
const isLasting = (error: unknown) =>
  error instanceof DatabaseError && !error.code?.startsWith('57P')

function majorVersion(cluster: string) {
  try {
    return Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))
  } catch {
    return undefined
  }
}
