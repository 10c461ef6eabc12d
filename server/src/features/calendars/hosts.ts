// Politeness towards the hosts of calendars, over all users: at most two requests at a time and one a second for
// each host, and none while it has asked us to wait.
const mostAtOnce = 2
const betweenMs = 1000
const longestRestMs = 6 * 3_600_000
const mostHosts = 10_000

type Host = { active: number; nextAt: number }

export type HostLimiter = ReturnType<typeof createHostLimiter>

export function createHostLimiter() {
  const hosts = new Map<string, Host>()

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known) return known
    const host = { active: 0, nextAt: 0 }
    hosts.set(name, host)
    return host
  }

  /** Hosts that may be asked at any time need no entry. */
  function forget(now: number) {
    for (const [name, { active, nextAt }] of hosts) {
      if (active === 0 && nextAt <= now) hosts.delete(name)
    }
  }

  return {
    /** Whether a request may be sent now; if not, in how many milliseconds to try again. */
    enter(name: string, now: Date): { leave: () => void } | { waitMs: number } {
      const time = now.getTime()
      if (hosts.size > mostHosts) forget(time)
      const host = hostOf(name)
      if (host.nextAt > time) return { waitMs: host.nextAt - time }
      if (host.active >= mostAtOnce) return { waitMs: betweenMs }
      host.active += 1
      host.nextAt = time + betweenMs
      let hasLeft = false
      return {
        leave() {
          if (!hasLeft) host.active -= 1
          hasLeft = true
        },
      }
    },

    /** It has answered that there are too many requests. */
    rest(name: string, now: Date, seconds: number) {
      const host = hostOf(name)
      host.nextAt = now.getTime() + Math.min(seconds * 1000, longestRestMs)
    },
  }
}
