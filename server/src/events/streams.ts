// The open streams of this process. Which users have something new is asked for all of them in one
// statement, several times a second, so that it does not matter which process wrote it; a write of
// this process is looked for at once. No connection is held for a stream.
import type { Db } from '../db/database.ts'
import { one, selecting } from '../db/statement.ts'
import type { Lifecycle } from '../http/arrive.ts'
import { event as fields } from './event-json.ts'

const pollMs = 250
const aliveMs = 15_000
const atOnce = 500

const heads = selecting<{ user_id: string; last_event: number }>(
  'events.heads',
  'select user_id, last_event from agendas where user_id = any($1::uuid[])',
)

const after = selecting<{ seq: number; part: number; type: string; json: string }>(
  'events.after',
  `
  select event.seq, event.part, event.type, ${one(fields)}::text as json
    from events event
   where event.user_id = $1 and (event.seq, event.part) > ($2::bigint, $3::int)
   order by event.seq, event.part
   limit ${atOnce}`,
)

const head = selecting<{ last_event: number }>(
  'events.head',
  'select last_event from agendas where user_id = $1',
)

export type Place = { seq: number; part: number }

export type Stream = {
  /** The last event that was sent; not known yet, for a moment, where it begins with the next one. */
  at: Place | undefined
  /** Says that it is open: from here on nothing is missed. */
  begin(): void
  write(text: string): void
  end(): void
  /** False once the caller may no longer see it. */
  isAllowed(): Promise<boolean>
}

export type Streams = ReturnType<typeof openStreams>

export function openStreams(db: Db, lifecycle: Lifecycle, log: { error(error: unknown): void }) {
  const users = new Map<string, Set<Stream>>()
  const busy = new Set<string>()
  let polling: NodeJS.Timeout | undefined
  let alive: NodeJS.Timeout | undefined

  /** Counted from the first moment: many that come at once must not all find room for one. */
  async function open(userId: string, stream: Omit<Stream, 'at'>, from: Place | undefined) {
    const opened: Stream = { ...stream, at: from }
    users.set(userId, (users.get(userId) ?? new Set()).add(opened))
    polling ??= setInterval(() => void poll(), pollMs)
    alive ??= setInterval(() => void keepAlive(), aliveMs)
    try {
      opened.at ??= await newest(userId)
    } catch (error) {
      close(userId, opened)
      throw error
    }
    opened.begin()
    void send(userId)
    return () => close(userId, opened)
  }

  async function newest(userId: string) {
    const [now] = await head(db, userId)
    return { seq: now?.last_event ?? 0, part: 1_000_000_000 }
  }

  function close(userId: string, stream: Stream) {
    const streams = users.get(userId)
    streams?.delete(stream)
    if (streams?.size === 0) users.delete(userId)
    if (users.size > 0) return
    clearInterval(polling)
    clearInterval(alive)
    polling = alive = undefined
  }

  let asking = false
  async function poll() {
    // Their readers go on with another process.
    if (lifecycle.phase === 'draining') return endAll()
    if (asking) return
    asking = true
    try {
      for (const { user_id, last_event } of await heads(db, [...users.keys()])) {
        const streams = users.get(user_id) ?? []
        if ([...streams].some(({ at }) => at && at.seq < last_event)) void send(user_id)
      }
    } catch (error) {
      log.error(error)
    } finally {
      asking = false
    }
  }

  /** Sends a user's streams what they have not seen, each in order and one batch at a time. */
  async function send(userId: string) {
    if (busy.has(userId)) return
    busy.add(userId)
    try {
      for (const stream of users.get(userId) ?? []) await sendTo(userId, stream)
    } catch (error) {
      log.error(error)
    } finally {
      busy.delete(userId)
    }
  }

  async function sendTo(userId: string, stream: Stream) {
    while (stream.at) {
      const news = await after(db, userId, stream.at.seq, stream.at.part)
      if (news.length === 0) return
      if (!(await stream.isAllowed())) return stream.end()
      for (const { seq, part, type, json } of news) {
        stream.write(`id: ${seq}-${part}\nevent: ${type}\ndata: ${json}\n\n`)
        stream.at = { seq, part }
      }
      if (news.length < atOnce) return
    }
  }

  /** Those that have begun: the others will, in a moment. */
  const begun = () =>
    [...users.values()].flatMap((streams) => [...streams]).filter(({ at }) => at !== undefined)

  function endAll() {
    for (const stream of begun()) stream.end()
  }

  async function keepAlive() {
    for (const stream of begun()) {
      if (await stream.isAllowed().catch(() => true)) stream.write(': still here\n\n')
      else stream.end()
    }
  }

  return {
    open,
    /** Looks at once for what this process has just written for the user. */
    wake(userId: string) {
      if (users.has(userId)) void send(userId)
    },
    countOf: (userId: string) => users.get(userId)?.size ?? 0,
    count: () => [...users.values()].reduce((sum, streams) => sum + streams.size, 0),
  }
}
