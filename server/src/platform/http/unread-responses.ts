// Responses handed to their socket that the client has not read. They hold memory but no slot, so each must
// be read at a minimum rate, and the unread bytes of one party are bounded.
import type { ServerResponse } from 'node:http'

export type UnreadLimits = {
  /** For all parties together; one party may have a quarter. */
  maxBytes: number
  /** The time that any response may take, and the bytes for which it gets another second. */
  patienceMs: number
  bytesPerSecond: number
}

type Answer = { party: string; bytes: number; secondsLeft: number; response: ServerResponse }

export type UnreadTracker = ReturnType<typeof trackUnread>

export function trackUnread({ maxBytes, patienceMs, bytesPerSecond }: UnreadLimits) {
  /** In the order in which they were sent. */
  const answers = new Set<Answer>()
  const bytesOf = new Map<string, number>()
  let total = 0
  let ticking: NodeJS.Timeout | undefined

  function count(party: string, bytes: number) {
    const now = (bytesOf.get(party) ?? 0) + bytes
    total += bytes
    if (now === 0) bytesOf.delete(party)
    else bytesOf.set(party, now)
  }

  function forget(answer: Answer) {
    if (answers.delete(answer)) count(answer.party, -answer.bytes)
  }

  function disconnect(answer: Answer) {
    forget(answer)
    answer.response.destroy()
  }

  /** Disconnects the oldest responses of the largest party until the total is within its limit. */
  function disconnectOverLimit() {
    if (total <= maxBytes) return
    const [largest] = [...bytesOf].reduce((most, each) => (each[1] > most[1] ? each : most))
    const oldest = [...answers].find(({ party, bytes }) => party === largest && bytes > 0)
    if (!oldest) return
    disconnect(oldest)
    disconnectOverLimit()
  }

  function tick() {
    for (const answer of answers) {
      answer.secondsLeft -= 1
      if (answer.secondsLeft <= 0) disconnect(answer)
    }
    disconnectOverLimit()
    if (answers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    /** Tracks the response until it is closed, which happens once the client has read all of it. */
    track(party: string, response: ServerResponse, bytes: number) {
      const secondsLeft = Math.ceil(patienceMs / 1000 + bytes / bytesPerSecond)
      const answer = { party, bytes, secondsLeft, response }
      answers.add(answer)
      count(party, bytes)
      response.once('close', () => forget(answer))
      ticking ??= setInterval(tick, 1000).unref()
    },
    /** Whether this party must read its responses before it gets more. */
    isOver: (party: string) => (bytesOf.get(party) ?? 0) > maxBytes / 4,
    load: () => ({ answers: answers.size, bytes: total }),
  }
}
