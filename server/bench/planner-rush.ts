// Many concurrent planner runs of one user, and the latency of other users' requests meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'

export const runs = 60

/** Sends requests of other users until `work` is done; returns their median latency. */
export async function traffic(origin: string, keys: string[], work: () => Promise<unknown>) {
  const waits: number[] = []
  const over = new AbortController()
  const people = keys.map(async (key) => {
    while (!over.signal.aborted) {
      const before = performance.now()
      const answer = await fetch(`${origin}/api/tasks?limit=10`, {
        headers: { authorization: `Bearer ${key}` },
      })
      await answer.text()
      if (!answer.ok) throw new Error(`Others were answered ${answer.status}`)
      waits.push(performance.now() - before)
      await sleep(20)
    }
  })
  const answered = Promise.all(people)
  answered.catch(() => {}) // handled below
  const start = performance.now()
  try {
    await work()
  } finally {
    over.abort()
    await answered
  }
  const tookMs = performance.now() - start
  const sorted = waits.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor(sorted.length / 2)] ?? NaN, count: waits.length, tookMs }
}

/** Starts `count` planner runs of one user at once; throws if one of them fails. */
export async function plan(origin: string, key: string, count = runs) {
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      fetch(`${origin}/api/planner`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      }),
    ),
  )
  const failed = answers.filter(({ ok }) => !ok)
  if (failed.length > 0) throw new Error(`${failed.length} runs were answered ${failed[0]?.status}`)
}
