import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { unauthorized } from '../errors.ts'

/** Prometheus metrics at /metrics: requests, the pool, the event loop and the process. */
export function publishMetrics(
  app: FastifyInstance,
  db: Database,
  inFlight: () => number,
  token: string | undefined,
) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })

  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer; its _count is the number of requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('http_requests_in_flight', 'Requests being served or refused', inFlight)
  gauge('db_pool_connections', 'Connections to PostgreSQL', () => db.load().total)
  gauge('db_pool_idle_connections', 'Connections nobody uses', () => db.load().idle)
  gauge('db_pool_waiting', 'Requests that wait for a connection', () => db.load().waiting)

  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    )
    done()
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token && !isEqual(request.headers.authorization ?? '', `Bearer ${token}`)) {
      throw unauthorized()
    }
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

const isEqual = (a: string, b: string) =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b))
