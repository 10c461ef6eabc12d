import type { FastifyRequest } from 'fastify'

/**
 * Whether a browser sent this from a page of ours. Browsers name the page's origin with every
 * change they are made to send; what names none is not a browser, and has no cookie by accident.
 */
export function isSameSite({ headers }: FastifyRequest, publicUrl: string | undefined) {
  const { origin, host } = headers
  const fetchSite = headers['sec-fetch-site']
  if (origin === undefined) return fetchSite === undefined || fetchSite === 'same-origin'
  if (publicUrl && origin === new URL(publicUrl).origin) return true // a proxy may change the host
  return URL.canParse(origin) && new URL(origin).host === host
}
