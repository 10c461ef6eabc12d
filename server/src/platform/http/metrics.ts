import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import type { Use } from './use-meter.ts'
import { forbidden, unauthorized } from '../errors.ts'
import { bearerToken } from './authenticate.ts'

/** Waiting jobs, parked jobs and live workers; ages in seconds of the oldest job, due user and unsent event. */
type Look = () => Promise<
  Record<'waiting' | 'oldest' | 'parked' | 'workers' | 'due' | 'unsent', number>
>

export type Metrics = ReturnType<typeof publishMetrics>

/** Publishes Prometheus metrics at /metrics: requests, the pool, the queue, the event loop and the process. */
export function publishMetrics(
  app: FastifyInstance,
  {
    db,
    inFlight,
    backlog,
    token,
    listReaderUse = () => [],
  }: {
    db: Database
    inFlight: () => number
    backlog: Look
    token: string | undefined
    listReaderUse?: () => Use[]
  },
) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })

  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to response; its _count is the number of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  gauge('http_requests_in_flight', 'Requests being served or refused', inFlight)
  gauge('db_pool_connections', 'Open connections to PostgreSQL in the pool', () => db.load().total)
  gauge('db_pool_idle_connections', 'Idle connections in the pool', () => db.load().idle)
  gauge('db_pool_waiting', 'Requests that are waiting for a connection', () => db.load().waiting)

  // All gauges of one scrape share one query.
  let looking: ReturnType<typeof backlog> | undefined
  const queue = () => (looking ??= backlog().finally(() => (looking = undefined)))
  gauge(
    'workers_alive',
    'Workers with a recent heartbeat, counted once for each kind of job that they run',
    async () => (await queue()).workers,
  )
  gauge(
    'oldest_due_user_seconds',
    'How long the background work of the longest-waiting user has been due',
    async () => (await queue()).due,
  )
  gauge(
    'webhook_oldest_event_seconds',
    'The age of the oldest event that an enabled webhook has not been sent yet',
    async () => (await queue()).unsent,
  )
  gauge(
    'queue_waiting_jobs',
    'Jobs that are waiting, running or to be retried',
    async () => (await queue()).waiting,
  )
  gauge(
    'queue_oldest_job_seconds',
    'How long the oldest job has been due',
    async () => (await queue()).oldest,
  )
  gauge(
    'queue_parked_jobs',
    'Jobs that failed too often and are no longer retried; see /api/admin/jobs',
    async () => (await queue()).parked,
  )
  gaugeOfReaders('reader_cpu_seconds', 'Processor time', ({ cpuMs }) => cpuMs / 1000)
  gaugeOfReaders('reader_bytes', 'Bytes', ({ bytes }) => bytes)
  const runs = new Histogram({
    name: 'planner_run_duration_seconds',
    help: 'Duration of automatic planner runs; its _count is their number',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const failures = new Counter({
    name: 'planner_run_failures_total',
    help: 'Automatic planner runs that failed',
    registers,
  })

  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      {
        method: request.method,
        route: routeOf(request, reply.statusCode),
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token === undefined) {
      if (!isFromThisMachine(request))
        throw forbidden('Allowed only from this machine or with a token')
    } else if (!isEqual(bearerToken(request.headers.authorization) ?? '', token)) {
      throw unauthorized()
    }
    reply.type(registry.contentType)
    return registry.metrics()
  })

  /** Of the ten calendars that have used the most, so that a load can be traced to an account. */
  function gaugeOfReaders(name: string, what: string, read: (use: Use) => number) {
    return new Gauge({
      name,
      help: `${what} of the ten users and calendars whose files took the most time to read since the process was started`,
      labelNames: ['user', 'calendar'],
      registers,
      collect() {
        this.reset()
        for (const use of listReaderUse())
          this.set({ user: use.userId, calendar: use.name }, read(use))
      },
    })
  }

  return {
    observeRun: (seconds: number) => runs.observe(seconds),
    countFailure: () => failures.inc(),
  }
}

const loopback = /^(127\.|::1$|::ffff:127\.)/
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']
const localHost = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i

/**
 * A proxy on this machine also connects from loopback, but usually adds a forwarding header or passes on
 * the public Host. A page in a local browser has another Host as well (DNS rebinding).
 */
const isFromThisMachine = ({ socket, headers }: FastifyRequest) =>
  loopback.test(socket.remoteAddress ?? '') &&
  localHost.test(headers.host ?? '') &&
  !forwarding.some((name) => name in headers)

const isEqual = (a: string, b: string) =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The wildcard route of the web app counts as `unknown` on 404, so scanners add no label values. */
const routeOf = ({ routeOptions: { url } }: FastifyRequest, status: number) =>
  url === undefined || (url === '/*' && status === 404) ? 'unknown' : url
