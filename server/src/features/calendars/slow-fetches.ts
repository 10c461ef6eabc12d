// A fetch holds one of the slots of the worker until it ends. Slow servers may hold only some of the slots, so that
// calendars at fast servers need not wait for them.
const slowMs = 3000

export type LimitSlow = <Result>(work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>

/** Limits slow fetches. A fetch counts as slow after 3 s; if `most` are slow already, it is aborted. */
export function limitSlowFetches(most: number): LimitSlow {
  let slow = 0
  return async (work) => {
    const ending = new AbortController()
    let isSlow = false
    const timer = setTimeout(() => {
      if (slow >= most) return ending.abort()
      isSlow = true
      slow += 1
    }, slowMs)
    try {
      return await work(ending.signal)
    } finally {
      clearTimeout(timer)
      if (isSlow) slow -= 1
    }
  }
}
