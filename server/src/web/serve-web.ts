// The web app, at every path that is not the API's. It is made of files only: nothing of it runs here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../errors.ts'
import { type Encoding, readWebFiles, type WebFile } from './files.ts'

/** Only what the app brings along, and only to speak with this service; nothing runs from a string. */
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
  'Daywright is running, without its web app: `npm run build` makes it.\n' +
  'The API is at /api, and its reference at /docs.\n'

/** Whatever is the service's own: a path of it that is unknown stays unknown. */
const isReserved = (path: string) => /^\/(api|docs|health|metrics)(\/|$)/.test(path)

export function serveWeb(app: FastifyInstance, files = readWebFiles()) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    schema: { hide: true },
    handler: (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/'
      if (isReserved(path)) throw notFound('Not found')
      reply.headers(headers)
      const page = files.get('/index.html')
      if (!page) return reply.type('text/plain; charset=utf-8').send(hint)
      const file = files.get(path)
      // What names a file that is not there is no page of the app.
      if (!file && /\.\w+$/.test(path)) throw notFound('Not found')
      return send(request, reply, file ?? page)
    },
  })
}

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
