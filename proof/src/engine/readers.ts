// Two readers of a user's events, from the first on: one through an open stream, one by polling.
import { setTimeout as sleep } from 'node:timers/promises'

type Following = { origin: string; key: string; signal: AbortSignal }

/** The ids from the stream. Reconnects after the last id if the stream ends. */
export function readStream({ origin, key, signal }: Following) {
  const seen: string[] = []
  const over = (async () => {
    while (!signal.aborted) {
      const headers = { authorization: `Bearer ${key}`, 'last-event-id': seen.at(-1) ?? '0-0' }
      const answer = await fetch(`${origin}/api/events`, { headers, signal })
      let rest = ''
      for await (const chunk of answer.body ?? []) {
        const parts = (rest + Buffer.from(chunk).toString()).split('\n\n')
        rest = parts.pop() ?? ''
        for (const part of parts) {
          const [, id] = /^id: (\S+)$/m.exec(part) ?? []
          if (id) seen.push(id)
        }
      }
    }
  })().catch(() => {})
  return { seen, over }
}

/** The ids from `GET /api/changes`, read in small pages. */
export function readChanges({ origin, key, signal }: Following) {
  const seen: string[] = []
  const over = (async () => {
    let since = '0-0'
    while (!signal.aborted) {
      const answer = await fetch(`${origin}/api/changes?since=${since}&limit=7`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      })
      const page = (await answer.json()) as {
        events: { id: string }[]
        next: string
        more: boolean
      }
      seen.push(...page.events.map(({ id }) => id))
      since = page.next
      if (!page.more) await sleep(300, undefined, { signal })
    }
  })().catch(() => {})
  return { seen, over }
}

/** How the events that were read differ from those stored: gaps, duplicates, another order. */
export function wrongReading(who: string, seen: string[], events: string[]) {
  const at = events.findIndex((event, i) => seen[i] !== event)
  if (at >= 0) return [`${who} read ${seen[at] ?? 'nothing'} where ${events[at]} was to come`]
  if (seen.length > events.length) return [`${who} read ${seen[events.length]}, which there is not`]
  return []
}
