// The open event streams of this process. One statement, several times a second, finds all users with new
// events, so it does not matter which process wrote them; a write of this process wakes the user's streams
// at once. A stream holds no connection.
import type { Database } from '../../platform/db/database.ts'
import { one } from '../../platform/db/fragments.ts'
import { bigint, bigints, integer, sql, userId, uuids } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { ApiError } from '../../platform/errors.ts'
import { hasRoom, reserveOf } from '../../platform/fair-share.ts'
import type { Lifecycle } from '../../platform/http/lifecycle.ts'
import { event as fields, requiresResync } from './event-json.ts'
import { eventPage, hasMore } from './event-page.ts'

const pollMs = 250
const aliveMs = 15_000
/** Credentials are checked before each event, and on idle streams once in this many keep-alives. */
const checkEvery = 4
/** A failed read is retried after 1, 2, 4 … s; after this many failures the streams are ended. */
const mostFailures = 5
const atOnce = 500
/** Sorts after all parts of a change, and is still a valid cursor. */
const lastPart = 999_999_999

/** The users among these that have events after their cursor. */
const heads = queryRows<{ user_id: string }>()(
  'events.heads',
  sql`
  select user_state.user_id
    from unnest(${uuids('userIds')}::uuid[], ${bigints('seqs')}::bigint[]) seen (user_id, seq)
    join user_state on user_state.user_id = seen.user_id
   where user_state.last_event > seen.seq`,
)

type News = { seq: number; part: number; type: string; json: string; more: boolean }

const after = queryRows<News>()(
  'events.after',
  sql`
  with ${eventPage({
    where: sql`(events.seq, events.part) > (${bigint('seq')}::bigint, ${integer('part')}::int)`,
    most: String(atOnce),
  })}
  select event.seq, event.part, event.type, ${one(fields)}::text as json, ${hasMore} as more
    from page event
   order by event.place`,
)

const head = queryRows<{ last: number; resyncRequired: boolean }>()(
  'events.head',
  sql`
  select coalesce((select last_event from user_state where user_id = ${userId}), 0) as last,
         ${requiresResync(sql`${bigint('seq')}::bigint`)} as "resyncRequired"`,
)

export type EventCursor = { seq: number; part: number }

export type Stream = {
  /** The cursor after the last sent event; undefined until a new stream knows where it starts. */
  at: EventCursor | undefined
  /** Sends the headers: from here on no event is missed. */
  begin(): void
  write(text: string): void
  /** True while the client has not read what was written, so it gets no more. */
  isFull(): boolean
  end(): void
  /** Disconnects at once and drops unsent data. */
  cut(): void
  /** False once the credential is no longer valid. */
  isAllowed(): Promise<boolean>
}

/** The user and client address of a stream. */
export type Reader = { userId: string; visitor: string }

export type Streams = ReturnType<typeof openStreams>

export function openStreams(
  db: Database,
  lifecycle: Lifecycle,
  log: { error(error: unknown): void },
) {
  const users = new Map<string, Set<Stream>>()
  const addresses = new Map<string, number>()
  const busy = new Set<string>()
  const failures = new Map<string, number>()
  const resting = new Set<string>()
  const stalled = new WeakSet<Stream>()
  let polling: NodeJS.Timeout | undefined
  let alive: NodeJS.Timeout | undefined

  /** Opens a stream. It is counted before the first await, so that concurrent opens cannot exceed the limit. */
  async function open(
    { userId, visitor }: Reader,
    stream: Omit<Stream, 'at'>,
    from: EventCursor | undefined,
  ) {
    const opened: Stream = { ...stream, at: undefined }
    addresses.set(visitor, (addresses.get(visitor) ?? 0) + 1)
    users.set(userId, (users.get(userId) ?? new Set()).add(opened))
    polling ??= setInterval(() => void poll(), pollMs)
    alive ??= setInterval(keepAlive, aliveMs)
    let resyncRequired = false
    try {
      const [now] = await head(ownedBy(userId), { userId, seq: from?.seq ?? 0 })
      resyncRequired = from !== undefined && now?.resyncRequired === true
      opened.at =
        from !== undefined && !resyncRequired ? from : { seq: now?.last ?? 0, part: lastPart }
    } catch (error) {
      close({ userId, visitor }, opened)
      throw error
    }
    opened.begin()
    // Tells the reader to read everything again. The stream continues from the current event.
    if (resyncRequired) {
      const id = `${opened.at.seq}-${lastPart}`
      opened.write(`id: ${id}\nevent: reset\ndata: {"resyncRequired":true}\n\n`)
    }
    void send(userId)
    return () => close({ userId, visitor }, opened)
  }

  /** Counts a user's reads against that user's share of the connections. */
  const ownedBy = (userId: string) => db.as({ kind: 'system' }, { key: userId })

  function close({ userId, visitor }: Reader, stream: Stream) {
    const streams = users.get(userId)
    if (!streams?.delete(stream)) return
    const left = (addresses.get(visitor) ?? 0) - 1
    if (left > 0) addresses.set(visitor, left)
    else addresses.delete(visitor)
    if (streams.size === 0) users.delete(userId)
    if (users.size > 0) return
    clearInterval(polling)
    clearInterval(alive)
    polling = alive = undefined
  }

  let asking = false
  async function poll() {
    // This process shuts down: the clients reconnect to another one.
    if (lifecycle.phase === 'draining') return endAll()
    if (asking) return
    asking = true
    try {
      const seen = [...users].flatMap(([userId, streams]) => {
        const places = [...streams].flatMap(({ at }) => at?.seq ?? [])
        return places.length > 0 ? [[userId, Math.min(...places)] as const] : []
      })
      const moved = await heads(db, {
        userIds: seen.map(([userId]) => userId),
        seqs: seen.map(([, seq]) => seq),
      })
      for (const { user_id } of moved) void send(user_id)
    } catch (error) {
      log.error(error)
    } finally {
      asking = false
    }
  }

  /** Sends unseen events to a user's streams: one read at a time, shared by streams at the same cursor. */
  async function send(userId: string) {
    if (busy.has(userId) || resting.has(userId)) return
    busy.add(userId)
    try {
      const begun = [...(users.get(userId) ?? [])].filter(({ at }) => at)
      const groups = Map.groupBy(begun, ({ at }) => `${at?.seq}-${at?.part}`)
      for (const group of groups.values()) await sendTo(userId, group)
      failures.delete(userId)
    } catch (error) {
      log.error(error)
      // No back-off during an outage (an ApiError): then the query for heads fails first, and no events are read.
      if (!(error instanceof ApiError)) backOff(userId)
    } finally {
      busy.delete(userId)
    }
  }

  async function sendTo(userId: string, group: Stream[]) {
    for (let streams = group; ;) {
      streams = streams.filter((stream) => users.get(userId)?.has(stream) && !stream.isFull())
      const at = streams[0]?.at
      if (!at) return
      const news = await after(ownedBy(userId), { userId, ...at })
      if (news.length === 0) return
      streams = await keepAllowed(userId, streams)
      for (const { seq, part, type, json } of news) {
        for (const stream of streams) {
          stream.write(`id: ${seq}-${part}\nevent: ${type}\ndata: ${json}\n\n`)
          stream.at = { seq, part }
        }
      }
      if (!news.at(-1)?.more) return
    }
  }

  /** The open streams whose credential is still valid; the others are ended. */
  async function keepAllowed(userId: string, streams: Stream[]) {
    const answers = await Promise.all(streams.map((stream) => stream.isAllowed()))
    return streams.filter((stream, index) => {
      if (!answers[index]) stream.end()
      return answers[index] && users.get(userId)?.has(stream)
    })
  }

  function backOff(userId: string) {
    const count = (failures.get(userId) ?? 0) + 1
    failures.set(userId, count)
    resting.add(userId)
    setTimeout(
      () => {
        resting.delete(userId)
        if (!users.has(userId)) failures.delete(userId)
      },
      1000 * 2 ** (count - 1),
    ).unref()
    if (count <= mostFailures) return
    failures.delete(userId)
    for (const stream of users.get(userId) ?? []) {
      stream.write(': ended: the events cannot be read at present\n\n')
      stream.end()
    }
  }

  const count = () => addresses.values().reduce((sum, streams) => sum + streams, 0)

  /** The streams that know their cursor already. */
  const listStarted = () =>
    [...users.values()].flatMap((streams) => [...streams]).filter(({ at }) => at !== undefined)

  function endAll() {
    for (const stream of listStarted()) stream.end()
  }

  let rounds = 0
  function keepAlive() {
    rounds += 1
    for (const stream of listStarted()) {
      if (stream.isFull() && stalled.has(stream)) {
        stream.cut() // the client has read nothing since the last check
        continue
      }
      if (stream.isFull()) stalled.add(stream)
      else stalled.delete(stream)
      stream.write(': still here\n\n')
    }
    if (rounds % checkEvery === 0) void checkReaders()
  }

  let isChecking = false
  /** Checks one credential at a time, so that requests have priority. Streams of one credential share a statement. */
  async function checkReaders() {
    if (isChecking) return
    isChecking = true
    for (const stream of listStarted()) {
      if (!(await stream.isAllowed().catch(() => true))) stream.end()
    }
    isChecking = false
  }

  return {
    open,
    /** Reads at once what this process has just written for the user. */
    wake(userId: string) {
      if (users.has(userId)) void send(userId)
    },
    /** Whether this address may open one more stream, given the total limit. */
    hasRoom: (visitor: string, most: number) =>
      hasRoom({
        held: addresses.get(visitor) ?? 0,
        taken: count(),
        places: most,
        reserve: reserveOf(most),
      }),
    countOf: (userId: string) => users.get(userId)?.size ?? 0,
  }
}
