import { DavError } from './errors.ts'

/** The password goes where the server points to, but not to another site, and not without TLS. */
export function resolveHref(href: string, base: string) {
  const from = new URL(base)
  const to = URL.parse(href, from.href)
  const isSafe =
    to &&
    !to.username &&
    !to.password &&
    (to.protocol === 'https:' || to.protocol === from.protocol) &&
    isSameSite(to, from)
  if (!isSafe) throw new DavError('not-caldav')
  return to.href
}

/** iCloud sends its users from caldav.icloud.com to p01-caldav.icloud.com. */
function isSameSite(to: URL, from: URL) {
  if (to.hostname === from.hostname) return to.port === from.port || to.protocol === 'https:'
  const parent = from.hostname.split('.').slice(1).join('.')
  const isOneSite = parent.includes('.') && !isIp(from.hostname) && !isSuffix.test(parent)
  return isOneSite && to.hostname.endsWith(`.${parent}`)
}

/** Of many owners, such as co.uk. */
const isSuffix = /^[a-z]{2,3}\.[a-z]{2}$/

const isIp = (host: string) => /^[\d.]+$|:/.test(host)
