import { BlockList, isIP } from 'node:net'

/** Addresses that mean this machine or its neighbours, not a receiver on the internet. */
const blocked = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  blocked.addSubnet(network, bits, 'ipv4')
}

/** Of IPv6 only what is routed on the internet is let through, and nothing that wraps an IPv4. */
const routed = new BlockList()
routed.addSubnet('2000::', 3, 'ipv6')
const wrapping = new BlockList()
wrapping.addSubnet('2001::', 23, 'ipv6')
wrapping.addSubnet('2001:db8::', 32, 'ipv6')
wrapping.addSubnet('2002::', 16, 'ipv6')
wrapping.addSubnet('3fff::', 20, 'ipv6')

export function isPrivate(address: string) {
  const family = isIP(address)
  if (family === 4) return blocked.check(address, 'ipv4')
  if (family !== 6) return true
  return !routed.check(address, 'ipv6') || wrapping.check(address, 'ipv6')
}
