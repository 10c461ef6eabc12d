// Which statement gets the next connection. The pool serves in the order of arrival, and one user who
// sends much, or asks what takes long, would have all of it. Here a party may hold half as many
// connections as are left free (a dynamic threshold), and a connection goes to the party that holds the fewest.
import { unavailable } from '../errors.ts'
import { hasRoom } from '../fair-share.ts'

/** On whose behalf a connection is used. */
export type Party = {
  key: string
  /** True while it must not be given more, for instance because it does not read its answers. */
  isPaused?: () => boolean
}

export type Limits = {
  connections: number
  maxWaiting: number
  patienceMs: number
}

type Waiting = { party: Party; start: () => void; refuse: () => void }

// What belongs to no user, such as finding the owner of an API key. These statements are short and
// every user's requests wait for them: they may use every connection, and half of them come first.
const service = ''

export function shareConnections({ connections, maxWaiting, patienceMs }: Limits) {
  const held = new Map<string, number>()
  const queues = new Map<string, Waiting[]>()
  let free = connections
  let waiting = 0

  const heldBy = (key: string) => held.get(key) ?? 0
  const mayTake = (key: string) => free > 0 && (key === service || heldBy(key) < free / 2)

  const mayWait = (key: string) =>
    hasRoom({
      held: queues.get(key)?.length ?? 0,
      taken: waiting,
      places: maxWaiting,
      reserve: Math.floor(maxWaiting / 2),
    })

  function take(key: string) {
    free -= 1
    held.set(key, heldBy(key) + 1)
  }

  function refuseIfPaused(party: Party) {
    if (party.isPaused?.()) throw unavailable('Answers to this user are not being read')
  }

  /** Takes one at once, or gives a promise of it. */
  function enter(party: Party = { key: service }): Promise<void> | undefined {
    refuseIfPaused(party)
    if (mayTake(party.key) && !queues.has(party.key)) {
      take(party.key)
      return undefined
    }
    if (!mayWait(party.key)) throw unavailable('Overloaded')
    return new Promise((resolve, reject) => {
      const give = (answer: () => void) => () => {
        clearTimeout(timer)
        remove(entry)
        answer()
      }
      const entry: Waiting = {
        party,
        start: give(resolve),
        refuse: give(() => reject(unavailable('Overloaded'))),
      }
      const timer = setTimeout(entry.refuse, patienceMs)
      const queue = queues.get(party.key)
      if (queue) queue.push(entry)
      else queues.set(party.key, [entry])
      waiting += 1
    })
  }

  function remove(entry: Waiting) {
    const queue = queues.get(entry.party.key) ?? []
    queue.splice(queue.indexOf(entry), 1)
    // A party that waits for more goes to the end: among equals they take turns.
    queues.delete(entry.party.key)
    if (queue.length > 0) queues.set(entry.party.key, queue)
    waiting -= 1
  }

  function leave(party: Party = { key: service }) {
    free += 1
    const left = heldBy(party.key) - 1
    if (left > 0) held.set(party.key, left)
    else held.delete(party.key)
    startNext()
  }

  function findNext() {
    if (free > 0 && queues.has(service) && heldBy(service) < connections / 2) return service
    return [...queues.keys()]
      .filter(mayTake)
      .reduce<string | undefined>(
        (least, key) => (least === undefined || heldBy(key) < heldBy(least) ? key : least),
        undefined,
      )
  }

  function startNext() {
    for (;;) {
      const next = findNext()
      const entry = next === undefined ? undefined : queues.get(next)?.[0]
      if (!entry) return
      if (entry.party.isPaused?.()) entry.refuse()
      else {
        take(entry.party.key)
        entry.start()
      }
    }
  }

  return { enter, leave, waiting: () => waiting }
}
