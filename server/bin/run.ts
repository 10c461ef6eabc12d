import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp, buildWorkerApp } from '../src/app.ts'
import { instanceSecrets } from '../src/platform/auth/secret.ts'
import { signUpRules } from '../src/features/account/sign-up-rules.ts'
import { limitsOf } from '../src/config.ts'
import { connect } from '../src/platform/db/database.ts'
import { logOutages } from '../src/platform/db/log-outages.ts'
import { requireDurable } from '../src/platform/db/durability.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { keepRunning } from '../src/platform/embedded-postgres/keep-running.ts'
import type { Lifecycle } from '../src/platform/http/lifecycle.ts'
import { listen, type Listener } from '../src/platform/http/listen.ts'
import { startReading } from '../src/features/calendars/start-reading.ts'
import { solveInThreads } from '../src/features/planner/solve.ts'
import { connectQueue } from '../src/jobs/queue.ts'
import { startWatchdog } from '../src/platform/watchdog/watchdog.ts'
import { startWorker, type Worker } from '../src/jobs/worker.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

/** What this process runs: `npm start` runs both, and any number of each can run separately. */
export type Role = 'api' | 'worker'

// Each of the four kinds of job holds one to listen for jobs. The others are held only briefly, however many jobs run.
const queueConnections = 8
const lastRequestMs = 1000
const patienceMs = 4000
/** A main thread that has not run for this long is blocked. */
const blockedMs = 10_000
/** How long the forced exit of the main thread may take before the watchdog ends the process. */
const exitMs = 1000

export async function run(...roles: Role[]) {
  const isApi = roles.includes('api')
  const config = settings()
  const watchdog = startWatchdog(blockedMs)
  const database = chooseDatabase(config)
  const db = connect(database.url, {
    poolSize: config.POOL_SIZE,
    maxWaiting: config.POOL_QUEUE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    limits: limitsOf(config),
  })
  const now = () => new Date()
  const queue = connectQueue(config.QUEUE_DATABASE_URL ?? database.url, queueConnections)
  const lifecycle: Lifecycle = { phase: 'starting' }
  const threads = solveInThreads(config.PLANNER_THREADS)
  // The log exists only once the service has been built.
  let logFault: (fault: string) => void = () => {}
  const reading = startReading({ now, log: (fault) => logFault(fault) })
  const appOptions = {
    db,
    reading,
    queue,
    now,
    solve: threads.solve,
    advise: threads.advise,
    config,
    lifecycle,
    options: {
      return503OnClosing: false,
      logger: {
        level: config.LOG_LEVEL,
        hooks: { logMethod: logOutages(Date.now) },
        redact: [
          'req.headers.authorization',
          'req.headers.cookie',
          '*.password',
          '*.key',
          '*.token',
        ],
      },
    },
  }
  const app = await (isApi ? buildApp(appOptions) : buildWorkerApp(appOptions))
  logFault = (fault) => app.log.error(fault)
  let worker: Worker | undefined
  let listener: Listener | undefined
  const keeper = keepRunning(database, {
    log: app.log,
    giveUp: (error) => {
      app.log.fatal(error, 'The bundled PostgreSQL cannot be restarted')
      process.exitCode = 1
      void stop('no database')
    },
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))

  const starting = start()
  try {
    await starting
  } catch (error) {
    app.log.fatal(error)
    await stop('failed to start')
    process.exitCode = 1
  }

  async function start() {
    // Listen first, so that clients get 503 "Starting" instead of a refused connection.
    const port = isApi ? config.PORT : config.WORKER_PORT
    if (port !== undefined) listener = await listen(app, config.HOST, port)
    app.log.info(database.describe)
    await database.start()
    if (config.UNSAFE_DATABASE === 'refuse') await requireDurable(db)
    if (lifecycle.phase === 'starting') await migrate(database.url)
    if (lifecycle.phase === 'starting') await queue.migrate()
    if (lifecycle.phase !== 'starting') return // stopped meanwhile
    if (roles.includes('worker'))
      worker = await startWorker({ ...appOptions, metrics: app.metrics, log: app.log })
    if (lifecycle.phase !== 'starting') return
    lifecycle.phase = 'serving'
    app.log.info('Ready')
    if (isApi) await announceSetup()
  }

  /** Logs the setup token at `warn`, so that it also shows where only warnings are logged. */
  async function announceSetup() {
    const secrets = instanceSecrets(db, config)
    const token = await signUpRules(db, config, secrets.current).pendingSetupToken()
    if (token === undefined) return
    app.log.warn(
      `There is no admin yet. Sign up with this setup token to become the admin: ${token}`,
    )
  }

  /** Fails the readiness check, finishes running requests and jobs, and closes everything. */
  async function stop(reason: string) {
    if (lifecycle.phase === 'draining') return
    lifecycle.phase = 'draining'
    app.log.info(`Stopping: ${reason}`)
    keeper.stop()
    endInTime()
    await sleep(config.DRAIN_DELAY_MS)
    // A half-finished start cannot be stopped, so wait for it.
    const finished = starting
      .catch(() => {})
      .then(() => worker?.stop())
      .catch((error: unknown) => app.log.error(error))
    if (listener) await closeServer(listener)
    await app.close()
    await finished
    await threads.stop()
    reading.stop()
    await queue.end()
    await db.end()
    await database.stop()
    app.log.info('Stopped')
  }

  /** A hanging start or an unresponsive database must not keep the process alive for ever. */
  function endInTime() {
    const ms = config.DRAIN_DELAY_MS + config.STOP_TIMEOUT_MS
    const end = () => {
      app.log.fatal(`Did not stop within ${ms} ms (STOP_TIMEOUT_MS): exiting now`)
      process.exit(1)
    }
    setTimeout(end, ms).unref()
    watchdog.endAfter(ms + exitMs)
  }

  async function closeServer({ close }: Listener) {
    // Accept no new connections. A connected client may have a request on its way, which is answered as its
    // last.
    app.server.prependListener('request', (_request, answer) => {
      answer.shouldKeepAlive = false
    })
    const gone = close()
    const giveUp = setTimeout(() => app.server.closeAllConnections(), patienceMs)
    await Promise.race([gone, sleep(lastRequestMs)])
    // Close connections that stay open between requests or never finish one. Only after pending input was
    // read: a connection with an unread request looks idle.
    const closeIdle = () => app.server.closeIdleConnections()
    const closing = setInterval(() => setImmediate(closeIdle), 100)
    await gone
    clearInterval(closing)
    clearTimeout(giveUp)
  }
}
