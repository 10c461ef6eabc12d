// The memory of answers that are being received or read. If all answers together take too much, the largest one of
// the user with the most bytes is given up, so that small ones are always received.

/** The bytes of one piece of work, such as the reading of a calendar. */
export type Holding = {
  /** Aborts when the memory is needed for others. */
  signal: AbortSignal
  add(bytes: number): void
  release(): void
}

export type ShareMemory = ReturnType<typeof shareMemory>

type Holder = { userId: string; bytes: number; abort: () => void }

export function shareMemory(mostBytes: number) {
  const holders = new Set<Holder>()

  function giveUpLargest() {
    const byUser = Map.groupBy(holders, ({ userId }) => userId)
    const all = [...byUser.values()].map((own) => ({
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      largest: own.reduce((most, each) => (each.bytes > most.bytes ? each : most)),
    }))
    if (all.reduce((sum, { bytes }) => sum + bytes, 0) <= mostBytes) return
    const { largest } = all.reduce((most, each) => (each.bytes > most.bytes ? each : most))
    holders.delete(largest)
    largest.abort()
    giveUpLargest()
  }

  function open(userId: string): Holding {
    const aborting = new AbortController()
    const holder = { userId, bytes: 0, abort: () => aborting.abort() }
    holders.add(holder)
    return {
      signal: aborting.signal,
      add(bytes: number) {
        holder.bytes += bytes
        giveUpLargest()
      },
      release: () => void holders.delete(holder),
    }
  }

  return { open }
}
