// Reads the event stream as a browser does.
import { expect, vi } from 'vitest'

// Untyped on purpose: tests check the content themselves.
// oxlint-disable-next-line typescript/no-explicit-any
type Record = any
export type Message = {
  id: string
  event: string
  data: { before: Record; after: Record; actor: Record }
  /** The time of arrival. */
  at: number
}

export async function follow(
  origin: string,
  key: string,
  headers: { [name: string]: string } = {},
) {
  const ending = new AbortController()
  const response = await fetch(`${origin}/api/events`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: ending.signal,
  })
  const messages: Message[] = []
  let isOver = false
  const reading = (async () => {
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const parts = (rest + Buffer.from(chunk).toString()).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts.filter((text) => text.startsWith('id: '))) {
        const [id = '', event = '', data = ''] = part
          .split('\n')
          .map((line) => line.slice(line.indexOf(': ') + 2))
        messages.push({ id, event, data: JSON.parse(data), at: Date.now() })
      }
    }
  })()
    .catch(() => {})
    .finally(() => (isOver = true))
  return {
    response,
    messages,
    isOver: () => isOver,
    seen: (count: number) =>
      vi.waitFor(() => expect(messages).toHaveLength(count), { timeout: 5000, interval: 10 }),
    leave: async () => {
      ending.abort()
      await reading
    },
  }
}
