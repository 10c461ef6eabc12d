// Checks the headers that a client or a misconfigured proxy may get wrong: Host and X-Forwarded-For.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, badRequest } from '../errors.ts'
import { isLoopback } from './loopback.ts'

/**
 * With a PUBLIC_URL, only requests to its host and to loopback names are answered, which stops DNS rebinding. A
 * rebound page knows no API key, so requests with an Authorization header may use any host name.
 */
export function checkHost(app: FastifyInstance, publicUrl: string | undefined) {
  const site = publicUrl === undefined ? undefined : new URL(publicUrl)
  let hasWarned = false

  app.addHook('onRequest', (request, reply, done) => {
    // The proxy may have checked one Host and we the other: cookies and origins would be ambiguous.
    if (hasSeveralHosts(request)) return done(badRequest('More than one Host header'))
    if (!site) return done()
    if (site.protocol === 'https:') reply.header('strict-transport-security', 'max-age=31536000')
    if (isExpected(request, site.hostname)) return done()
    if (!hasWarned) {
      hasWarned = true
      request.log.warn(
        `Refused a request to the host ${request.host.slice(0, 250)}: the host of PUBLIC_URL is ${site.hostname}. A proxy must pass on the Host header`,
      )
    }
    done(
      new ApiError(421, {
        error: `This service answers only requests for the host ${site.hostname}`,
      }),
    )
  })
}

function hasSeveralHosts({ raw: { rawHeaders } }: FastifyRequest) {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

function isExpected(request: FastifyRequest, hostname: string) {
  if (request.url.startsWith('/health/') || request.headers.authorization) return true
  const sent = `http://${request.host}`
  const name = URL.canParse(sent) ? new URL(sent).hostname : ''
  return name === hostname || isLoopback(name)
}

/** Warns once about a proxy that TRUST_PROXY does not name. */
export function warnOfProxy(app: FastifyInstance) {
  let hasWarned = false

  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned && isForwardedByStranger(request)) {
      hasWarned = true
      app.log.warn(
        `A request from ${request.socket.remoteAddress} has an X-Forwarded-For header, but TRUST_PROXY ` +
          'does not contain that address: all clients behind it share the limits of one address. If it ' +
          'is your proxy, add it to TRUST_PROXY',
      )
    }
    done()
  })
}

/** With a trusted proxy, `ip` is the forwarded address instead of the socket's. */
const isForwardedByStranger = ({ headers, ip, socket }: FastifyRequest) =>
  headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress
