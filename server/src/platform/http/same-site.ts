import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { isLoopback } from './loopback.ts'

export type CrossSite = ReturnType<typeof crossSiteRefusal>

/**
 * Whether the request comes from one of our own pages. Browsers send Origin with every state-changing
 * request; a client that sends none is not a browser and attaches no cookie by itself.
 */
function isSameSite({ headers }: FastifyRequest, publicUrl: string | undefined) {
  const { origin, host } = headers
  const fetchSite = headers['sec-fetch-site']
  if (origin === undefined) return fetchSite === undefined || fetchSite === 'same-origin'
  if (publicUrl && origin === new URL(publicUrl).origin) return true // a proxy may change the host
  if (!URL.canParse(origin)) return false
  const sent = new URL(origin)
  return sent.host === host && (publicUrl === undefined || isLoopback(sent.hostname))
}

/** Refuses cross-site requests; the log explains once how to set PUBLIC_URL for that origin. */
export function crossSiteRefusal(publicUrl: string | undefined, log: FastifyBaseLogger) {
  let hasWarned = false
  return (request: FastifyRequest) => {
    if (isSameSite(request, publicUrl)) return undefined
    const { origin } = request.headers
    if (origin === undefined || !/^https?:\/\/[^\s"]{1,250}$/.test(origin)) {
      return forbidden('Cross-site request refused')
    }
    if (!hasWarned) {
      hasWarned = true
      log.warn(
        `Refused a request from a page at ${origin}. If that is the address of this service, set PUBLIC_URL=${origin}`,
      )
    }
    return forbidden(
      `Cross-site request refused: ${origin} is not the address of this service (PUBLIC_URL)`,
    )
  }
}
