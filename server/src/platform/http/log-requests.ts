import type { FastifyInstance } from 'fastify'

/** Logs one line per request at LOG_LEVEL=debug; /metrics has the counts at any level. */
export function logRequests(app: FastifyInstance) {
  if (!['debug', 'trace'].includes(app.log.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        // Without the query, which may hold private data, and without the key or the token of a feed in the path.
        path: request.url.split('?', 1)[0]?.replaceAll(/(dw[kf])_[\w-]+/g, '$1_…'),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.userId || undefined,
      },
      'Request',
    )
    done()
  })
}
