import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { isLoopback } from './loopback.ts'

/**
 * With a PUBLIC_URL, only requests to its host and to loopback names are answered, which stops DNS rebinding. A
 * rebound page knows no API key, so requests with an Authorization header may use any host name.
 */
export function answerToPublicHost(app: FastifyInstance, publicUrl: string | undefined) {
  if (publicUrl === undefined) return
  const { hostname, protocol } = new URL(publicUrl)
  let hasWarned = false

  function isExpected(request: FastifyRequest) {
    if (request.url.startsWith('/health/') || request.headers.authorization) return true
    const sent = `http://${request.host}`
    const name = URL.canParse(sent) ? new URL(sent).hostname : ''
    return name === hostname || isLoopback(name)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (protocol === 'https:') reply.header('strict-transport-security', 'max-age=31536000')
    if (isExpected(request)) return done()
    if (!hasWarned) {
      hasWarned = true
      request.log.warn(
        `Refused a request to the host ${request.host.slice(0, 250)}: the host of PUBLIC_URL is ${hostname}. A proxy must pass on the Host header`,
      )
    }
    done(new ApiError(421, { error: `This service answers to the host ${hostname} only` }))
  })
}
