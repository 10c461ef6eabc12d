// A PostgreSQL of our own for whoever sets no DATABASE_URL: no port, no password, nothing to install.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { findBinaries, usableBinaries } from './binaries.ts'
import { buildWhole, openFolder, privateFolder, requireOwner, serverUser } from './data-folder.ts'
import { initialise, isServer, launch, logTail, postmaster, socketFolder } from './postmaster.ts'

export { defaultDataFolder } from './data-folder.ts'

/** The longest that starting (after a crash, mostly) or stopping may take. */
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
        if (state === 'refused') await sleep(200) // what a dead server left behind is still leaving
        server = await launch({ bin, cluster, socket, log, user, stalePid: pid })
      }
      await sleep(20)
    }
  }

  function stay(client: Client) {
    presence = client
    client.once('end', () => {
      if (presence !== client) return // told to stop
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
      process.kill(pid, 'SIGINT') // a "fast" shutdown: it hangs up on all, and writes all out
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
    /** Known before the server runs: a pool may be made first. */
    url: url(socket, 'daywright'),
    /** One line for the log. */
    describe: `PostgreSQL ${binaries.version} of its own, data in ${folder}`,
    /** Whether there are data already; if not, start makes an empty cluster. */
    exists: () => majorVersion(cluster) !== undefined,
    /** Starts the server, or joins the one that another process has started on this folder. */
    async start() {
      if (presence) return
      starting ??= start().finally(() => {
        starting = undefined
      })
      await starting
    },
    /** `listener` is called when the server ends, or hangs up on us, without our doing. */
    onLost(listener: () => void) {
      lost = listener
    },
    /** Leaves, and stops the server if nobody else is connected. Close your own pool before. */
    stop,
  }
}

// `localhost` only makes it a valid URL: `host` outranks it. The rest outranks PGPORT, PGSSLMODE.
const url = (socket: string, role: string) =>
  `postgres://${role}@localhost:5432/daywright?host=${encodeURIComponent(socket)}&sslmode=disable`

/**
 * Each handle stays connected, under a shared lock, from start to stop. A pool closes its idle
 * connections, so counting those alone would stop the server under a process that is merely quiet.
 */
async function enter(socket: string) {
  const client = new Client({
    connectionString: url(socket, 'postgres'),
    connectionTimeoutMillis: patienceMs,
  })
  client.on('error', () => {}) // the server went away: 'end' follows
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
 * True once no one else is in. It keeps the exclusive lock then: whoever enters from now on waits
 * for it until the server is gone, and starts another.
 */
async function isLast(client: Client) {
  try {
    await client.query('select pg_advisory_unlock_shared(0)')
    const lock = await client.query('select where pg_try_advisory_lock(0)')
    if (lock.rowCount === 0) return false
    // Connections that were closed a moment ago, such as the caller's own, take a moment to go.
    for (let tries = 0; tries < 10; tries++) {
      const others = await client.query<{ wait_event: string | null }>(`
        select wait_event from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`)
      if (others.rowCount === 0) return true
      if (others.rows.some((other) => other.wait_event === 'advisory')) return false // it enters
      await sleep(50)
    }
    return false
  } catch (error) {
    if (isLasting(error)) throw error
    return false // someone stopped it meanwhile
  }
}

// 57P..: it starts up or shuts down. No SQLSTATE at all: nobody listens, or it hung up.
const isLasting = (error: unknown) =>
  error instanceof DatabaseError && !error.code?.startsWith('57P')

function majorVersion(cluster: string) {
  try {
    return Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'))
  } catch {
    return undefined
  }
}
