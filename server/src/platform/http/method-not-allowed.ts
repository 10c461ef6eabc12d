import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'

const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Call it before the routes are declared, and its result after: unused methods then answer 405. */
export function methodNotAllowed(app: FastifyInstance) {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    known.set(url, methods)
  })

  return () => {
    for (const [url, methods] of known) {
      const allow = [...methods].join(', ')
      app.route({
        method: all.filter((method) => !methods.has(method)),
        url,
        schema: { hide: true },
        exposeHeadRoute: false,
        // Runs after authentication and before the body is read.
        onRequest: (_request, _reply, done) =>
          done(new ApiError(405, { error: 'Method not allowed' }, { allow })),
        handler: () => undefined,
      })
    }
  }
}
