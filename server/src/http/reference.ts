import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

// The page brings its own script and styles, some of them inline; it speaks to this service only.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page to read and try the API, at /docs, made from its OpenAPI document. */
export async function publishReference(app: FastifyInstance) {
  await app.register(async (pages) => {
    pages.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', policy)
      reply.removeHeader('content-type')
      done()
    })
    await pages.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/openapi.json',
        pageTitle: 'Daywright API',
        // What would lead to another service.
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        withDefaultFonts: false,
        hideClientButton: true,
        telemetry: false,
      },
    })
  })
}
