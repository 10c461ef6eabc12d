// Work that waits for a foreign server holds one of a number of places until it ends. Slow servers may hold only some of
// the places, so that work at fast servers need not wait for them.
export type LimitSlow = <Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  options?: {
    /** Known to be slow: counts as slow from the start. */
    isSlow?: boolean
    /** The user whose work it is. All work of a user counts as slow from the start for a while after some was slow. */
    userId?: string
  },
) => Promise<Result>

const rememberedMs = 60_000

/** Limits slow work. Work counts as slow after some time; if `most` are slow already, it is aborted. */
export function createSlowLimit({ most, afterMs }: { most: number; afterMs: number }): LimitSlow {
  let slow = 0
  const slowUsers = new Map<string, NodeJS.Timeout>()

  function remember(userId: string) {
    clearTimeout(slowUsers.get(userId))
    slowUsers.set(userId, setTimeout(() => slowUsers.delete(userId), rememberedMs).unref())
  }

  return async (work, { isSlow = false, userId } = {}) => {
    const ending = new AbortController()
    let isCounted = false
    const isKnown = isSlow || (userId !== undefined && slowUsers.has(userId))
    const timer = isKnown ? undefined : setTimeout(foundSlow, afterMs)
    if (isKnown) countAsSlow()
    try {
      return await work(ending.signal)
    } finally {
      clearTimeout(timer)
      if (isCounted) slow -= 1
    }

    function foundSlow() {
      if (userId !== undefined) remember(userId)
      countAsSlow()
    }

    function countAsSlow() {
      if (slow >= most) return ending.abort()
      isCounted = true
      slow += 1
    }
  }
}
