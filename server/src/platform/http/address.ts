// The client address as limits count it: one party is an IPv4 address, or the first 64 bits of an IPv6 address.
import { isIPv4, isIPv6 } from 'node:net'

/** The network counted as one client, which usually has a whole IPv6 /64. */
export function visitorOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  if (!isIPv6(plain)) return plain
  return mappedIPv4(plain) ?? `${prefixOf(plain, 4)}::/64`
}

/** An IPv4-mapped address, as a dual-stack socket reports it: `::ffff:192.0.2.1` or `::ffff:c000:201`. */
function mappedIPv4(address: string) {
  const groups = groupsOf(address)
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const prefixOf = (address: string, count: number) =>
  groupsOf(address)
    .slice(0, count)
    .map((group) => group.toString(16))
    .join(':')

/** The eight 16-bit groups of an IPv6 address, abbreviated or not. */
function groupsOf(address: string): number[] {
  const [front = '', back] = address.split('::')
  const left = numbersIn(front)
  if (back === undefined) return left
  const right = numbersIn(back)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const numbersIn = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!isIPv4(group)) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      })
