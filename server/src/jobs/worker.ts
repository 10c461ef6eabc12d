import { encryptWith } from '../platform/auth/encryption.ts'
import { instanceSecret } from '../platform/auth/secret.ts'
import type { Config } from '../config.ts'
import type { Database } from '../platform/db/database.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Solve } from '../features/planner/solve.ts'
import { createHostLimiter } from '../features/calendars/hosts.ts'
import { configuredProviders } from '../features/connected-accounts/providers.ts'
import { readInThread } from '../features/calendars/read-in-thread.ts'
import { refreshCalendar } from '../features/calendars/refresh-calendar.ts'
import { limitSlowFetches } from '../features/calendars/slow-fetches.ts'
import { publishPlan } from '../features/plan-calendars/publish-plan.ts'
import { deliver } from '../features/webhooks/deliver.ts'
import { postOutside } from '../features/webhooks/http-post.ts'
import { getOutside } from '../platform/outbound/http-get.ts'
import { outboundAddresses } from '../platform/outbound/outbound-addresses.ts'
import { nameResolver } from '../platform/outbound/resolve-name.ts'
import { sealPlainSecrets } from '../features/webhooks/seal-secrets.ts'
import { runUserJobs } from './run-user-jobs.ts'
import { type Log, startJobRunner } from './job-runner.ts'
import type { Queue } from './queue.ts'

export type Worker = Awaited<ReturnType<typeof startWorker>>

const { random } = Math

/** Runs all background work. Any number of workers may run, in any process. */
export async function startWorker(options: {
  db: Database
  queue: Queue
  now: () => Date
  solve: Solve
  config: Config
  metrics: Metrics
  log: Log
}) {
  const { db, queue, now, solve, config, metrics, log } = options
  const addresses = outboundAddresses(config.WEBHOOK_PRIVATE_ADDRESSES, config.PUBLIC_URL)
  const resolveName = nameResolver(now)
  const { post, close } = postOutside(addresses, resolveName)
  const outside = getOutside(addresses, resolveName)
  const reader = readInThread()
  const hosts = createHostLimiter()
  const providers = configuredProviders(config)
  const limitSlow = limitSlowFetches(Math.ceil(config.CALENDAR_CONCURRENCY / 2))
  const seal = encryptWith(instanceSecret(db, config.AUTH_SECRET))
  await sealPlainSecrets(db, seal)
  const retrySeconds = config.WEBHOOK_RETRY_SECONDS
  // One delivery at a time per user, so slow receivers of one user do not delay others.
  const enqueueDeliveries = (userId: string, webhookIds: string[]) =>
    queue.add(
      'deliver',
      webhookIds.map((id) => `${userId}/${id}`),
      userId,
    )
  // One at a time per user here as well.
  const enqueueRefreshes = (userId: string, calendarIds: string[]) =>
    queue.add(
      'refresh-calendar',
      calendarIds.map((id) => `${userId}/${id}`),
      `${userId}/calendars`,
    )
  const enqueuePlans = (userId: string, planCalendarIds: string[]) =>
    queue.add(
      'publish-plan',
      planCalendarIds.map((id) => `${userId}/${id}`),
      `${userId}/calendars`,
    )
  const onRun = (startedAt: Date, error?: unknown) => {
    if (error) metrics.countFailure()
    else metrics.observeRun((now().getTime() - startedAt.getTime()) / 1000)
  }
  const enqueuing = { enqueueDeliveries, enqueueRefreshes, enqueuePlans }
  const userJobs = { db, now, solve, ...enqueuing, onRun }
  const concurrency: Record<string, number> = {
    deliver: config.WEBHOOK_CONCURRENCY,
    'refresh-calendar': config.CALENDAR_CONCURRENCY,
    'publish-plan': config.CALENDAR_CONCURRENCY,
  }
  const engine = await startJobRunner({
    db,
    queue,
    now,
    // Deliveries and fetches mostly wait for others and hold a connection only briefly.
    concurrency: (task) => concurrency[task] ?? config.WORKER_CONCURRENCY,
    tasks: {
      'run-user-jobs': (userId) => runUserJobs(userJobs, userId),
      deliver(key) {
        const [userId = '', webhookId = ''] = key.split('/')
        return deliver(
          { db: db.as({ kind: 'system' }), now, post, seal, retrySeconds },
          userId,
          webhookId,
        )
      },
      'refresh-calendar'(key) {
        const [userId = '', calendarId = ''] = key.split('/')
        const { get, request } = outside
        const { readFile } = reader
        const refreshing = {
          db: db.as({ kind: 'system' }),
          now,
          get,
          request,
          readFile,
          seal,
          providers,
          hosts,
          limitSlow,
          random,
        }
        return refreshCalendar(refreshing, userId, calendarId)
      },
      'publish-plan'(key) {
        const [userId = '', planCalendarId = ''] = key.split('/')
        const { request } = outside
        const { readFile } = reader
        const origin = config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin
        const publishing = { db, now, request, readFile, seal, hosts, limitSlow, random, origin }
        return publishPlan(publishing, userId, planCalendarId)
      },
    },
    log,
  })
  return {
    async stop() {
      await engine.stop()
      close()
      outside.close()
      await reader.stop()
    },
  }
}
