// Serves the web app to browsers at every path outside the API. It consists of static files only.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../errors.ts'
import { type Encoding, readWebFiles, type WebFile } from './files.ts'

/** Allows only the app's own files, connections to this service only, and no eval. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types daywright',
].join('; ')

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

const year = 'public, max-age=31536000, immutable'
const hint =
  'Daywright is running without its web app. Run `npm run build` to build it.\n' +
  'The API is at /api, and its reference at /docs.\n'

/** Paths of the service: an unknown path below them is answered with 404. */
const isReserved = (path: string) => /^\/(api|docs|feeds|health|metrics)(\/|$)/.test(path)

export function serveWeb(app: FastifyInstance, files = readWebFiles()) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler: (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/'
      if (isReserved(path)) throw notFound('Not found')
      // A program that calls a wrong path should get an error instead of a page.
      if (path !== '/' && !files.has(path) && !wantsPage(request)) throw notFound('Not found')
      reply.headers(headers)
      const page = files.get('/index.html')
      if (!page) return reply.type('text/plain; charset=utf-8').send(hint)
      const file = files.get(path)
      // A path with a file extension is not a page of the app.
      if (!file && /\.\w+$/.test(path)) throw notFound('Not found')
      return send(request, reply, file ?? page)
    },
  })
}

const wantsPage = ({ headers: { accept = '' } }: FastifyRequest) =>
  /\b(text\/html|application\/xhtml\+xml)\b/i.test(accept)

function send(request: FastifyRequest, reply: FastifyReply, file: WebFile) {
  reply
    .header('cache-control', file.isHashed ? year : 'no-cache')
    .header('etag', file.tag)
    .header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.tag) {
    return reply.code(304).removeHeader('content-type').send()
  }
  const encoding = choose(request.headers['accept-encoding']?.toString() ?? '', file)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(file.bodies[encoding])
}

const choose = (accepted: string, { bodies }: WebFile): Encoding =>
  (['br', 'gzip'] as const).find((each) => bodies[each] && accepted.includes(each)) ?? 'identity'
