// Admission control: decides which requests are served now. A slot is held until the response has been
// handed to the socket, and is counted for the user, or for the client address where no user is known.
import { hasRoom, reserveOf } from '../fair-share.ts'

/** `leave` is idempotent. */
export type Slot = { leave: () => void }

export type Admission = ReturnType<typeof createAdmission>

export function createAdmission(places: number, reserve = reserveOf(places)) {
  const held = new Map<string, number>()
  let taken = 0

  const isAdmitted = (party: string) =>
    hasRoom({ held: held.get(party) ?? 0, taken, places, reserve })

  function count(party: string, change: 1 | -1) {
    const now = (held.get(party) ?? 0) + change
    if (now === 0) held.delete(party)
    else held.set(party, now)
  }

  return {
    enter(party: string): Slot | undefined {
      if (!isAdmitted(party)) return undefined
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
