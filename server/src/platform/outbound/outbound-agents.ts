// Connections to URLs chosen by users. The check applies to the address that is connected to, which is resolved
// once, so DNS rebinding gains nothing.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { addressRefused, type OutboundAddresses } from './outbound-addresses.ts'
import { NameNotFound, NameServerSilent, type ResolveName } from './resolve-name.ts'

class AddressRefused extends Error {}

export function createOutboundAgents(addresses: OutboundAddresses, resolveName: ResolveName) {
  async function allowedAddressesOf(host: string) {
    const { ownName } = addresses
    const [found, own] = await Promise.all([
      resolveName(host),
      ownName === undefined ? [] : resolveName(ownName).catch(() => []),
    ])
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
    of: ({ protocol }: URL) => (protocol === 'https:' ? https : http),
    close: () => {
      http.destroy()
      https.destroy()
    },
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
