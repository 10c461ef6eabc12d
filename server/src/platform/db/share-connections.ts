// Decides which statement gets the next connection. The pool is first come, first served, so one busy user
// could take all of it. Here a party may hold half as many connections as are left free (a dynamic
// threshold), and the next connection goes to the party that holds the fewest.
import { unavailable } from '../errors.ts'
import { hasRoom } from '../fair-share.ts'

/** The party that a connection is counted for. */
export type Party = {
  key: string
  /** True while the party must not get more, for example because it does not read its responses. */
  isPaused?: () => boolean
  /** True for a request, which may be refused while it waits; a job of the worker may not. */
  isRequest?: boolean
}

export type Limits = {
  connections: number
  maxWaiting: number
  patienceMs: number
}

type Waiting = { party: Party; start: () => void; refuse: () => void }

// Statements that belong to no user, such as the lookup of an API key. They are short and every request waits for them,
// so they may use every connection and have priority for half of them.
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
    if (party.isPaused?.()) throw unavailable('The client does not read its responses')
  }

  /** Takes a connection at once, or returns a promise that resolves when the party has one. */
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
    // A party that still waits goes to the end of the queue, so equal parties alternate.
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

  /** Refuses the party's newest waiting request; false if no request waits. */
  function refuseNewest(key: string) {
    const newest = queues.get(key)?.findLast(({ party }) => party.isRequest)
    newest?.refuse()
    return newest !== undefined
  }

  return { enter, leave, refuseNewest, waiting: () => waiting }
}
