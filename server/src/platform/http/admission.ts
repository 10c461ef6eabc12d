// Admission control: decides which requests are served now. A slot is held until the response has been
// handed to the socket, and is counted for the user, or for the client address where no user is known. Where
// no slot is left for a party that holds few, a waiting request of the largest party is refused instead
// (longest queue drop).
import { hasRoom, reserveOf } from '../fair-share.ts'

/** `leave` is idempotent. */
export type Slot = { leave: () => void }

export type Admission = ReturnType<typeof createAdmission>

export type AdmissionLimits = {
  places: number
  reserve?: number
  /** Refuses the party's newest request that still waits for a connection; false if no request waits. */
  refuseNewest: (party: string) => boolean
}

export function createAdmission({
  places,
  reserve = reserveOf(places),
  refuseNewest,
}: AdmissionLimits) {
  const held = new Map<string, number>()
  let taken = 0

  const isAdmitted = (party: string) =>
    hasRoom({ held: held.get(party) ?? 0, taken, places, reserve })

  /** Takes a slot from a larger party, which afterwards still holds at least as many slots as this one. */
  function displace(party: string) {
    const own = (held.get(party) ?? 0) + 1
    return [...held]
      .filter(([, slots]) => slots > own)
      .toSorted(([, one], [, other]) => other - one)
      .some(([largest]) => refuseNewest(largest))
  }

  function count(party: string, change: 1 | -1) {
    const now = (held.get(party) ?? 0) + change
    if (now === 0) held.delete(party)
    else held.set(party, now)
  }

  return {
    enter(party: string): Slot | undefined {
      if (!isAdmitted(party) && !displace(party)) return undefined
      let isHeld = true
      taken += 1
      count(party, 1)
      return {
        leave() {
          if (!isHeld) return
          isHeld = false
          taken -= 1
          count(party, -1)
        },
      }
    },
    taken: () => taken,
  }
}
