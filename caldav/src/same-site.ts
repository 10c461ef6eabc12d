import { getDomain } from 'tldts'
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

/** Allows sibling hosts, with TLS: iCloud redirects users from caldav.icloud.com to p01-caldav.icloud.com. */
function isSameSite(to: URL, from: URL) {
  const isSamePort = to.port === from.port
  if (to.hostname === from.hostname) return isSamePort || to.protocol === 'https:'
  const parent = from.hostname.split('.').slice(1).join('.')
  const isSecure = to.protocol === 'https:' && (isSamePort || to.port === '')
  return isSecure && isOfOneOwner(from.hostname, parent) && to.hostname.endsWith(`.${parent}`)
}

/** Not a public suffix such as co.uk or duckdns.org, whose subdomains have different owners; nor part of an IP address. */
const isOfOneOwner = (...hosts: string[]) =>
  hosts.every((host) => getDomain(host, { allowPrivateDomains: true, extractHostname: false }))
