import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../src/app.ts'
import { connect } from '../src/db/database.ts'
import { requireDurable } from '../src/db/durability.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Lifecycle } from '../src/http/arrive.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

const lastRequestMs = 1000
const patienceMs = 4000

const config = settings()
const database = chooseDatabase(config)
const db = connect(database.url, {
  poolSize: config.POOL_SIZE,
  maxWaiting: config.POOL_QUEUE,
  statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
})
const lifecycle: Lifecycle = { phase: 'starting' }
const app = await buildApp({
  db,
  now: () => new Date(),
  config,
  lifecycle,
  options: {
    return503OnClosing: false,
    logger: {
      level: config.LOG_LEVEL,
      redact: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.key', '*.token'],
    },
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
  // Listening comes first: whoever asks meanwhile hears that we are starting.
  await app.listen({ host: config.HOST, port: config.PORT })
  app.log.info(database.describe)
  await database.start()
  if (config.UNSAFE_DATABASE === 'refuse') await requireDurable(db)
  if (lifecycle.phase === 'starting') await migrate(database.url)
  if (lifecycle.phase !== 'starting') return // told to stop meanwhile
  lifecycle.phase = 'serving'
  app.log.info('Ready')
}

/** Tells the balancer, finishes what is under way, and leaves nothing running. */
async function stop(reason: string) {
  if (lifecycle.phase === 'draining') return
  lifecycle.phase = 'draining'
  app.log.info(`Stopping: ${reason}`)
  await sleep(config.DRAIN_DELAY_MS)
  // Nobody new. Who is connected may have a request on its way: it is answered, as their last.
  // HTTP's own close would hang up on them at once, so the socket's is called.
  const gone = once(app.server, 'close')
  app.server.prependListener('request', (_request, answer) => {
    answer.shouldKeepAlive = false
  })
  Server.prototype.close.call(app.server)
  const giveUp = setTimeout(() => app.server.closeAllConnections(), patienceMs)
  await Promise.race([gone, sleep(lastRequestMs)])
  // A client may keep its connection open between requests, or never finish one: no longer. Only
  // once everything that has arrived is read: a request nobody has seen yet looks like idleness.
  const closeIdle = () => app.server.closeIdleConnections()
  const closing = setInterval(() => setImmediate(closeIdle), 100)
  await gone
  clearInterval(closing)
  clearTimeout(giveUp)
  await app.close()
  await starting.catch(() => {}) // what has half started cannot be stopped
  await db.end()
  await database.stop()
  app.log.info('Stopped')
}
