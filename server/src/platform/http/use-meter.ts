// What the readers have done for whom, so that an operator can name the account behind a load.
const mostKept = 1000
const mostListed = 10

type Owner = { userId: string; name?: string }
export type Use = { userId: string; name: string; cpuMs: number; bytes: number }

/** Adds up the processor time and the bytes of each user and calendar since the process was started. */
export function createUseMeter() {
  const uses = new Map<string, Use>()

  function add(
    { userId, name = 'other' }: Owner,
    { cpuMs, bytes }: { cpuMs: number; bytes: number },
  ) {
    const key = `${userId}/${name}`
    const use = uses.get(key) ?? { userId, name, cpuMs: 0, bytes: 0 }
    use.cpuMs += cpuMs
    use.bytes += bytes
    uses.set(key, use)
    if (uses.size > mostKept) uses.delete(findLeast())
  }

  /** The ten that have used the most processor time. */
  const list = () => [...uses.values()].toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, mostListed)

  function findLeast() {
    let least: [string, Use] | undefined
    for (const entry of uses) if (!least || entry[1].cpuMs < least[1].cpuMs) least = entry
    return least?.[0] ?? ''
  }

  return { add, list }
}
