// Connections to URLs chosen by users. The check applies to the address that is connected to, which is resolved
// once, so DNS rebinding gains nothing.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { addressRefused, hostOf, type OutboundAddresses } from './outbound-addresses.ts'
import { NameNotFound, NameServerSilent, type ResolveName } from './resolve-name.ts'

class AddressRefused extends Error {}

export function createOutboundAgents(addresses: OutboundAddresses, resolveName: ResolveName) {
  const findOwn = rememberAddresses(addresses.ownName, resolveName)
  async function allowedAddressesOf(host: string) {
    const [found, own] = await Promise.all([resolveName(host), findOwn()])
    const allowed = found.filter((address) => addresses.isAllowed(address, own))
    if (allowed.length === 0) throw new AddressRefused()
    return allowed.map((address) => ({ address, family: isIP(address) }))
  }
  const lookUp = callbackify(allowedAddressesOf)
  const lookup: LookupFunction = (host, options, done) =>
    lookUp(host, (error, found) => {
      if (error) return done(error, [])
      if (options.all) return done(null, found)
      const [first] = found
      done(null, first?.address ?? '', first?.family)
    })
  const settings = { keepAlive: true, maxFreeSockets: 64, lookup }
  const http = new HttpAgent(settings)
  const https = new HttpsAgent(settings)

  return {
    /** Throws if the address in the URL is one of our own: only names are looked up and checked then. */
    async of(target: URL) {
      const host = hostOf(target)
      if (isIP(host) && !addresses.isAllowed(host, await findOwn())) throw new AddressRefused()
      return target.protocol === 'https:' ? https : http
    },
    close: () => {
      http.destroy()
      https.destroy()
    },
  }
}

/**
 * Finds the addresses of a name: if the name server fails, those that it gave last. Throws if it has never answered. A
 * name that does not exist has none, as where the name servers of an intranet do not know its public name.
 */
function rememberAddresses(name: string | undefined, resolveName: ResolveName) {
  let last: string[] | undefined
  return async () => {
    if (name === undefined) return []
    try {
      last = await resolveName(name)
      return last
    } catch (error) {
      if (last) return last
      if (error instanceof NameNotFound) return []
      throw error
    }
  }
}

/** Describes a failure in fixed texts: the system's messages would reveal resolvers, addresses and ports. */
export function describeFault(error: Error & { code?: string }, peer: string, patienceMs: number) {
  if (error instanceof AddressRefused) return addressRefused
  if (error instanceof NameNotFound) return `The name of the ${peer} cannot be resolved`
  if (error instanceof NameServerSilent) return 'The name server does not answer'
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `No answer within ${patienceMs / 1000} s`
  }
  return /CERT|TLS|SSL|SIGNED|ISSUER/.test(error.code ?? '')
    ? `The certificate of the ${peer} is not trusted`
    : `Cannot connect to the ${peer}`
}
