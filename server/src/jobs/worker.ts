import { encryptWith } from '../platform/auth/encryption.ts'
import { instanceSecrets } from '../platform/auth/secret.ts'
import type { Config } from '../config.ts'
import type { Database } from '../platform/db/database.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { Solve } from '../features/planner/solve.ts'
import { createHostLimiter } from '../features/calendars/hosts.ts'
import { configuredProviders } from '../features/connected-accounts/providers.ts'
import { refreshCalendar } from '../features/calendars/refresh-calendar.ts'
import type { Reading } from '../features/calendars/start-reading.ts'
import { createSlowLimit } from '../platform/outbound/limit-slow.ts'
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
/** A fetch, or a delivery, counts as slow after this time. */
const slowFetchMs = 3000
const slowReceiverMs = 1000

/** Runs all background work. Any number of workers may run, in any process. */
export async function startWorker(options: {
  db: Database
  queue: Queue
  now: () => Date
  solve: Solve
  config: Config
  metrics: Metrics
  reading: Reading
  /** See `startJobRunner`. */
  lateMs?: number
  log: Log
}) {
  const { db, queue, now, solve, config, metrics, lateMs, log } = options
  const { reader, memory } = options.reading
  const addresses = outboundAddresses(config.WEBHOOK_PRIVATE_ADDRESSES, config.PUBLIC_URL)
  const resolveName = nameResolver(now)
  const { post, close } = postOutside(addresses, resolveName)
  const outside = getOutside(addresses, resolveName)
  const instance = newId()
  const stopping = new AbortController()
  const hosts = createHostLimiter()
  const providers = configuredProviders(config)
  const limitSlow = createSlowLimit({
    most: Math.ceil(config.CALENDAR_CONCURRENCY / 2),
    afterMs: slowFetchMs,
  })
  const limitSlowReceivers = createSlowLimit({
    most: Math.ceil(config.WEBHOOK_CONCURRENCY / 2),
    afterMs: slowReceiverMs,
  })
  const seal = encryptWith(instanceSecrets(db, config))
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
    lateMs,
    // Deliveries and fetches mostly wait for others and hold a connection only briefly.
    concurrency: (task) => concurrency[task] ?? config.WORKER_CONCURRENCY,
    tasks: {
      'run-user-jobs': (userId) => runUserJobs(userJobs, userId),
      deliver(key) {
        const [userId = '', webhookId = ''] = key.split('/')
        const delivering = {
          db: db.as({ kind: 'system' }),
          now,
          post,
          limitSlow: limitSlowReceivers,
          seal,
          retrySeconds,
        }
        return deliver(delivering, userId, webhookId)
      },
      'refresh-calendar'(key) {
        const [userId = '', calendarId = ''] = key.split('/')
        const { get, request } = outside
        const refreshing = {
          db: db.as({ kind: 'system' }),
          now,
          get,
          request,
          reader,
          memory,
          instance,
          stopping: stopping.signal,
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
        const origin = config.PUBLIC_URL && new URL(config.PUBLIC_URL).origin
        const publishing = {
          db,
          now,
          request,
          reader,
          memory,
          stopping: stopping.signal,
          seal,
          hosts,
          limitSlow,
          random,
          origin,
        }
        return publishPlan(publishing, userId, planCalendarId)
      },
    },
    log,
  })
  return {
    async stop() {
      // A fetch that were cut off by the end of the process would count as one that has ended it.
      stopping.abort()
      await engine.stop()
      close()
      outside.close()
    },
  }
}
