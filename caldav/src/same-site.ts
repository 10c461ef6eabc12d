import { DavError } from './errors.ts'

/** Resolves a link. Refuses another site and the loss of TLS, because the password is sent to the target. */
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

/** Allows sibling hosts: iCloud redirects users from caldav.icloud.com to p01-caldav.icloud.com. */
function isSameSite(to: URL, from: URL) {
  if (to.hostname === from.hostname) return to.port === from.port || to.protocol === 'https:'
  const parent = from.hostname.split('.').slice(1).join('.')
  const isOneSite = parent.includes('.') && !isIp(from.hostname) && !isSuffix.test(parent)
  return isOneSite && to.hostname.endsWith(`.${parent}`)
}

/** A public suffix such as co.uk, whose subdomains have different owners. */
const isSuffix = /^[a-z]{2,3}\.[a-z]{2}$/

const isIp = (host: string) => /^[\d.]+$|:/.test(host)
