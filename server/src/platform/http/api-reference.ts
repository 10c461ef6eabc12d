import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

// The page has its own scripts and styles, some inline, and connects to this service only.
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

/** Serves the API reference at /docs, generated from the OpenAPI document. */
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
        // These features would call another service.
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
