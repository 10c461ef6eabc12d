// What a client, or a proxy in front that is set up wrongly, says about where a request comes from.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { badRequest } from '../errors.ts'

export function checkProxy(app: FastifyInstance) {
  let isWarned = false

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && isForwardedByStranger(request)) {
      isWarned = true
      app.log.warn(
        `A request from ${request.socket.remoteAddress} has X-Forwarded-For, and TRUST_PROXY does ` +
          'not name that address: all clients behind it share the limits of one address. If it is ' +
          'your proxy, name it in TRUST_PROXY',
      )
    }
    // A proxy may check the one and we the other: whose name would hold for cookies and origins?
    done(hasSeveralHosts(request) ? badRequest('More than one Host header') : undefined)
  })
}

/** A trusted proxy's word replaces its own address. */
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
