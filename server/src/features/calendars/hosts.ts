// Limits the requests of all users to the hosts of calendars: at most two at a time and one a second for each host.
// A host that asks to wait gets no request of that user, and none of any user once it has asked two of them: what it
// answers to one user may be due to that user's calendar. Users who must wait get one turn each, in the order they
// came, so that a user with many calendars at a host does not delay the others.
const mostAtOnce = 2
const betweenMs = 1000
const longestRestMs = 6 * 3_600_000
const mostHosts = 10_000
/** A turn is lost if it is not taken within this time. */
const turnLastsMs = 30_000

type Host = {
  active: number
  /** When the next request may be sent. */
  openAt: number
  /** When the next free turn begins. */
  freeAt: number
  /** When the turn of each waiting user begins. */
  turns: Map<string, number>
  /** Until when the host has asked each user to wait. */
  rests: Map<string, number>
}

export type HostLimiter = ReturnType<typeof createHostLimiter>

export function createHostLimiter() {
  const hosts = new Map<string, Host>()

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known) return known
    const host: Host = { active: 0, openAt: 0, freeAt: 0, turns: new Map(), rests: new Map() }
    hosts.set(name, host)
    return host
  }

  /** Drops the entries of hosts that may be asked at any time. */
  function forget(now: number) {
    for (const [name, host] of hosts) {
      endRests(host, now)
      const isFree = host.active === 0 && host.freeAt + turnLastsMs <= now
      if (isFree && host.rests.size === 0) hosts.delete(name)
    }
  }

  return {
    /** Whether the user may send a request now; if not, in how many milliseconds to try again. */
    enter(name: string, userId: string, now: Date): { leave: () => void } | { waitMs: number } {
      const time = now.getTime()
      if (hosts.size > mostHosts) forget(time)
      const host = hostOf(name)
      const restsUntil = host.rests.get(userId) ?? 0
      if (restsUntil > time) return { waitMs: restsUntil - time }
      // The turns are in the order of time, so the loop stops at the first one that is not lost.
      for (const [waiting, turn] of host.turns) {
        if (turn + turnLastsMs >= time) break
        host.turns.delete(waiting)
      }
      const turn = host.turns.get(userId)
      // The user has a later turn already, for another calendar.
      if (turn !== undefined && turn > time) return { waitMs: host.freeAt - time }
      if (turn === undefined && host.freeAt > time) {
        host.turns.set(userId, host.freeAt)
        host.freeAt += betweenMs
        return { waitMs: host.freeAt - betweenMs - time }
      }
      if (host.openAt > time) return { waitMs: host.openAt - time }
      if (host.active >= mostAtOnce) return { waitMs: betweenMs }
      host.turns.delete(userId)
      host.active += 1
      host.openAt = time + betweenMs
      host.freeAt = Math.max(host.freeAt, host.openAt)
      let hasLeft = false
      return {
        leave() {
          if (!hasLeft) host.active -= 1
          hasLeft = true
        },
      }
    },

    /** Pauses the requests of a user to a host that has answered that there are too many. */
    rest(name: string, userId: string, now: Date, seconds: number) {
      const host = hostOf(name)
      const time = now.getTime()
      const until = time + Math.min(seconds * 1000, longestRestMs)
      host.turns.delete(userId)
      host.rests.delete(userId)
      endRests(host, time)
      const untilOfOthers = host.rests.values().reduce((one, other) => Math.max(one, other), 0)
      host.rests.set(userId, until)
      if (untilOfOthers === 0) return
      host.openAt = Math.max(host.openAt, Math.min(until, untilOfOthers))
      host.freeAt = host.openAt
      host.turns.clear()
    },
  }
}

function endRests({ rests }: Host, now: number) {
  for (const [userId, until] of rests) if (until <= now) rests.delete(userId)
}
