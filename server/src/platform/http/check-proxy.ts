// Checks the headers by which a client or a misconfigured proxy states where a request comes from.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from '../errors.ts'

export function checkProxy(app: FastifyInstance) {
  let isWarned = false

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && isForwardedByStranger(request)) {
      isWarned = true
      app.log.warn(
        `A request from ${request.socket.remoteAddress} has an X-Forwarded-For header, but TRUST_PROXY ` +
          'does not contain that address: all clients behind it share the limits of one address. If it ' +
          'is your proxy, add it to TRUST_PROXY',
      )
    }
    // The proxy may have checked one Host and we the other: cookies and origins would be ambiguous.
    done(hasSeveralHosts(request) ? badRequest('More than one Host header') : undefined)
  })
}

/** With a trusted proxy, `ip` is the forwarded address instead of the socket's. */
const isForwardedByStranger = ({ headers, ip, socket }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress

function hasSeveralHosts({ raw: { rawHeaders } }: FastifyRequest) {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}
