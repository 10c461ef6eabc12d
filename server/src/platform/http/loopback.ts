import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether the address or name, as in HOST or in a URL, is a loopback address. */
export function isLoopback(host: string) {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(name)
  if (version === 0) return name.toLowerCase() === 'localhost'
  return loopback.check(name, version === 6 ? 'ipv6' : 'ipv4')
}
