// Answers that were handed to their socket and have not been read. They hold memory but no place: each
// must be read at a least rate, and what one party leaves unread is bounded.
import type { ServerResponse } from 'node:http'

export type UnreadLimits = {
  /** Of all parties together; one party may have a quarter. */
  maxBytes: number
  /** How long reading may take, and how many bytes more time must be enough for. */
  patienceMs: number
  bytesPerSecond: number
}

type Answer = { party: string; bytes: number; secondsLeft: number; response: ServerResponse }

export type Unread = ReturnType<typeof watchUnread>

export function watchUnread({ maxBytes, patienceMs, bytesPerSecond }: UnreadLimits) {
  /** In the order in which they were handed over. */
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

  function cut(answer: Answer) {
    forget(answer)
    answer.response.destroy()
  }

  /** The oldest answers of the party that has the most, until there is room again. */
  function cutWhatIsTooMuch() {
    if (total <= maxBytes) return
    const [largest] = [...bytesOf].reduce((most, each) => (each[1] > most[1] ? each : most))
    const oldest = [...answers].find(({ party, bytes }) => party === largest && bytes > 0)
    if (!oldest) return
    cut(oldest)
    cutWhatIsTooMuch()
  }

  function tick() {
    for (const answer of answers) {
      answer.secondsLeft -= 1
      if (answer.secondsLeft <= 0) cut(answer)
    }
    cutWhatIsTooMuch()
    if (answers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    /** From now on until the response is closed, which it is as soon as all of it was taken. */
    track(party: string, response: ServerResponse, bytes: number) {
      const secondsLeft = Math.ceil(patienceMs / 1000 + bytes / bytesPerSecond)
      const answer = { party, bytes, secondsLeft, response }
      answers.add(answer)
      count(party, bytes)
      response.once('close', () => forget(answer))
      ticking ??= setInterval(tick, 1000).unref()
    },
    /** Whether this party must read first before it is given more. */
    isOver: (party: string) => (bytesOf.get(party) ?? 0) > maxBytes / 4,
    load: () => ({ answers: answers.size, bytes: total }),
  }
}
