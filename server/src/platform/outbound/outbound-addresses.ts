// Which addresses and ports a request to a user's URL (a webhook or a calendar) may reach. By default only the
// internet is allowed: not this machine, its network, or a cloud's metadata service (SSRF).
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLocalhost } from './resolve-name.ts'

export const addressRefused = 'The operator does not allow this address'
export const portRefused = 'Only ports 80, 443 and 1024 or higher are allowed'

/** Addresses of this machine or its network, not of the internet. */
const internal = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** Of IPv6, only globally routed addresses are allowed, except those that may embed an IPv4 address. */
const routed = listOf(['2000::/3'])
const wrapping = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Link-local and cloud metadata addresses, also embedded by NAT64 and 6to4; `allow` does not permit them. */
const metadata = listOf([
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  '64:ff9b::a9fe:0/112',
  '64:ff9b::a83f:8110/128',
  '2002:a9fe::/32',
])

export function isPrivate(address: string) {
  const family = isIP(address)
  if (family === 4) return isIn(internal, address)
  if (family !== 6) return true
  return !isIn(routed, address) || isIn(wrapping, address)
}

export type OutboundAddresses = ReturnType<typeof outboundAddresses>

/** `allowed` is the setting WEBHOOK_PRIVATE_ADDRESSES: `refuse`, `allow` or a list of networks. */
export function outboundAddresses(allowed: string, publicUrl: string | undefined) {
  const areAllAllowed = allowed === 'allow'
  const listed = listOf(/^(allow|refuse)$/.test(allowed) ? [] : allowed.split(','))
  const publicHost = publicUrl === undefined ? undefined : hostOf(new URL(publicUrl))

  /** `own` are further addresses of this service, such as those of its public name. */
  function isAllowed(address: string, own: string[] = []) {
    if (isIP(address) === 0) return false
    if (isIn(listed, address)) return true
    if (isIn(metadata, address)) return false
    if (areAllAllowed) return true
    return !isPrivate(address) && !isIn(listOf([...addressesOfThisMachine(), ...own]), address)
  }

  return {
    isAllowed,
    /** The public host name of this service, whose addresses are not allowed either. */
    ownName: areAllAllowed || publicHost === undefined || isIP(publicHost) ? undefined : publicHost,
    /** Why the URL is refused before its name is resolved; undefined if it is not. */
    refusalOf(url: URL) {
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
      if (port !== 80 && port !== 443 && port < 1024) return portRefused
      const host = hostOf(url)
      const own = publicHost !== undefined && isIP(publicHost) ? [publicHost] : []
      if (isIP(host)) return isAllowed(host, own) ? undefined : addressRefused
      if (isLocalhost(host)) return isAllowed('127.0.0.1') ? undefined : addressRefused
      return allowed === 'refuse' && host === publicHost ? addressRefused : undefined
    },
  }
}

/** The host name or address, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

const addressesOfThisMachine = () =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))

function listOf(networks: string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.trim().split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

const isIn = (list: BlockList, address: string) =>
  list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
