import type { FastifyInstance } from 'fastify'

/** At LOG_LEVEL=debug, a line for every request; the counts are in /metrics at any level. */
export function logRequests(app: FastifyInstance) {
  if (!['debug', 'trace'].includes(app.log.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        // The path without its query, which is the caller's business; and without a key, should one
        // have been put there.
        path: request.url.split('?', 1)[0]?.replaceAll(/dwk_[\w-]+/g, 'dwk_…'),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.userId || undefined,
      },
      'Request',
    )
    done()
  })
}
