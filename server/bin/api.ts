import { buildApp } from '../src/app.ts'
import { connect } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Lifecycle } from '../src/http/arrive.ts'
import { chooseDatabase } from './database-url.ts'
import { settings } from './settings.ts'

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
    logger: {
      level: config.LOG_LEVEL,
      redact: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.key', '*.token'],
    },
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal))

try {
  // Listening comes first: whoever asks meanwhile hears that we are starting.
  await app.listen({ host: config.HOST, port: config.PORT })
  app.log.info(database.describe)
  await database.start()
  await migrate(database.url)
  if (lifecycle.phase === 'starting') lifecycle.phase = 'serving'
  app.log.info('Ready')
} catch (error) {
  app.log.fatal(error)
  await stop('failed to start')
  process.exitCode = 1
}

/** Tells the balancer, finishes what is under way, and leaves nothing running. */
async function stop(reason: string) {
  if (lifecycle.phase === 'draining') return
  lifecycle.phase = 'draining'
  app.log.info(`Stopping: ${reason}`)
  await new Promise((resolve) => setTimeout(resolve, config.DRAIN_DELAY_MS))
  // A client may keep its connection open between requests; it would hold us up.
  const closing = setInterval(() => app.server.closeIdleConnections(), 100)
  await app.close()
  clearInterval(closing)
  await db.end()
  await database.stop()
  app.log.info('Stopped')
}
