// Resolves names with c-ares, which does not use libuv's small thread pool: an unresponsive name server delays
// one request and nothing else. A lookup can be cancelled, and a name whose lookup timed out is not
// looked up again for some minutes.
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

const longestMs = 4000
const refusedForMs = 5 * 60_000
const mostRefused = 1000

/** The name does not exist or has no address. */
export class NameNotFound extends Error {}
/** The name server did not answer, now or recently. */
export class NameServerSilent extends Error {}

export type ResolveName = (name: string) => Promise<string[]>

export function nameResolver(now: () => Date, servers?: string[]): ResolveName {
  const refusedUntil = new Map<string, number>()

  return async (name) => {
    const known = isLocalhost(name) ? ['127.0.0.1', '::1'] : await addressesInHostsFile(name)
    if (known.length > 0) return known
    const time = now().getTime()
    if ((refusedUntil.get(name) ?? 0) > time) throw new NameServerSilent()
    try {
      return await ask(name, servers)
    } catch (error) {
      if (error instanceof NameServerSilent) refuse(name, time + refusedForMs)
      throw error
    }
  }

  function refuse(name: string, until: number) {
    refusedUntil.delete(name) // so that it is inserted last
    refusedUntil.set(name, until)
    const [oldest] = refusedUntil.keys()
    if (refusedUntil.size > mostRefused && oldest !== undefined) refusedUntil.delete(oldest)
  }
}

async function ask(name: string, servers: string[] | undefined) {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), longestMs)
  const faults: unknown[] = []
  const fault = (error: unknown): string[] => {
    faults.push(error)
    return []
  }
  try {
    const six = resolver.resolve6(name).catch(fault)
    const four = await resolver.resolve4(name).catch(fault)
    const addresses = four.length > 0 ? four : await six
    if (addresses.length > 0) return addresses
  } finally {
    clearTimeout(timer)
    resolver.cancel()
  }
  throw faults.every(isNoSuchName) ? new NameNotFound() : new NameServerSilent()
}

const isNoSuchName = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '')

export const isLocalhost = (name: string) => /(^|\.)localhost\.?$/.test(name)

/** Reads /etc/hosts, because c-ares only asks name servers and names of a home network are often in this file. */
async function addressesInHostsFile(name: string) {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.includes(name) ? [address] : []
  })
}
