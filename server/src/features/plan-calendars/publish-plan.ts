// Keeps a calendar at a CalDAV server up to date with the plan. Only differences are sent, and only events that we
// created are changed.
import { type Client, createCalendar } from '@daywright/caldav'
import type { WrittenEvent } from '@daywright/ical'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Request } from '../../platform/outbound/http-get.ts'
import type { ShareMemory } from '../../platform/outbound/share-memory.ts'
import { connectAs, describeDavFailure, mostAnswerBytes } from '../calendars/caldav.ts'
import { openAddress } from '../calendars/fetch-calendar.ts'
import type { HostLimiter } from '../calendars/hosts.ts'
import type { Reader } from '../calendars/reader.ts'
import type { LimitSlow } from '../../platform/outbound/limit-slow.ts'
import { eventOf, fingerprintOf, planWindow } from '../feeds/plan-blocks.ts'
import { applyMoves } from './apply-moves.ts'
import { deletePlanCalendar, notePlanCalendars } from './plan-calendars.queries.ts'
import {
  findTarget,
  listPublished,
  markFailed,
  postponePublication,
  readPlan,
  storePublication,
  type Target,
} from './publish.queries.ts'
import { type Desired, writeDifferences } from './write-differences.ts'

const minute = 60_000
const hour = 60 * minute
const intervalMs = 5 * minute
const retryMs = [minute, 15 * minute, hour, 6 * hour]

export type Publishing = {
  db: Database
  now: () => Date
  request: Request
  reader: Reader
  memory: ShareMemory
  /** Aborts when the process stops. */
  stopping: AbortSignal
  seal: Cipher
  hosts: HostLimiter
  limitSlow: LimitSlow
  /** A number from 0 to 1 that spreads requests that would coincide. */
  random: () => number
  /** The origin of the web app, for links to the tasks. */
  origin: string | undefined
}

export async function publishPlan(publishing: Publishing, userId: string, id: string) {
  const { now, seal, hosts, limitSlow, memory, reader, stopping, random } = publishing
  const db = publishing.db.as({ kind: 'system' }, { key: userId })
  const target = await findTarget(db, userId, id)
  if (!target) return
  const key = { userId, id, sealedUrl: target.sealed_url }
  const address = await openAddress(seal, target)
  if (!address?.credentials) return fail(addressLost, { isRefused: true })
  const { url, credentials } = address
  const place = hosts.enter(target.host, userId, now())
  if ('waitMs' in place) {
    const until = new Date(now().getTime() + place.waitMs)
    await postponePublication(db, key, until)
    return notePlanCalendars(db, userId)
  }
  const holding = memory.open(userId)
  const { failure, rows, facts } = await limitSlow((slow) => {
    const ending = AbortSignal.any([slow, stopping, holding.signal])
    const parse = reader.parse({ userId, name: id }, mostAnswerBytes)
    const client = connectAs(publishing.request, credentials, {
      parse,
      ending,
      receiving: { holding },
    })
    const session = { ...publishing, database: publishing.db, db, client, url }
    return bringUpToDate(session, { userId, id }, target)
  }).finally(() => {
    place.leave()
    holding.release()
  })
  const isStored = await storePublication(db, key, rows, failure ? undefined : facts, now())
  if (!isStored) return
  if (failure) return fail(failure.error, failure)
  if (target.removing && rows.left === 0) {
    await deletePlanCalendar(db, userId, id, { isRemoving: false, seal, now: now() })
  }
  await notePlanCalendars(db, userId)

  async function fail(error: string, { isRefused, retryAfterSeconds = 0 }: Failure) {
    const { failures } = target as Target
    const delayMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? hour
    const waitMs = Math.min(24 * hour, Math.max(delayMs, retryAfterSeconds * 1000))
    // No further attempt: some servers lock an account after several wrong passwords.
    const nextAt = isRefused ? null : new Date(now().getTime() + waitMs * (1 + random() / 5))
    await markFailed(db, key, { error, nextAt })
    await notePlanCalendars(db, userId)
  }
}

type Failure = { error?: string; isRefused?: boolean; retryAfterSeconds?: number }
type FoundFailure = NonNullable<ReturnType<typeof describeDavFailure>>
type Session = Omit<Publishing, 'db'> & {
  database: Database
  db: Db
  client: Client
  url: string
}

const addressLost =
  'Its address cannot be read by this instance, which has another secret: delete it, and add it again'

/** Publishes the plan. Returns what is on the server afterwards, even if something failed on the way. */
async function bringUpToDate(
  session: Session,
  { userId, id }: { userId: string; id: string },
  target: Target,
) {
  const { db, now, client, reader, url } = session
  const { two_way: isTwoWay, removing, timezone: zone } = target
  const rows = new Map((await listPublished(db, userId, id)).map((row) => [row.thread, row]))
  const before = new Map(rows)
  const { from } = planWindow(now())
  let marks = { token: target.sync_token, tag: target.sync_tag }
  const merge = (file: Uint8Array, event: WrittenEvent) =>
    reader.mergeEvent({ userId, name: id }, file, event)
  let failure: FoundFailure | undefined
  let left = 0
  try {
    if (target.creates && !removing) await createCalendar(client, url, target.name)
    let desired = await desire()
    const isReadDue = target.next_sync_at !== null && target.next_sync_at <= now()
    if (isTwoWay && !removing && rows.size > 0 && (isReadDue || differs(desired))) {
      marks = await applyMoves({ ...session, desired, rows, marks, userId, zone })
      desired = await desire()
    }
    left = await writeDifferences({ client, merge, url, desired, rows, from, isTwoWay })
  } catch (error) {
    failure = describeDavFailure(error)
    if (!failure) throw error
  }
  const nextMs = left > 0 ? minute : isTwoWay ? intervalMs : undefined
  return {
    failure,
    rows: {
      left,
      written: [...rows.values()].filter((row) => before.get(row.thread) !== row),
      gone: [...before.keys()].filter((thread) => !rows.has(thread)),
    },
    facts: {
      ...marks,
      publishedEvent: target.last_event,
      nextAt: nextMs === undefined ? null : new Date(now().getTime() + nextMs),
      eventCount: [...rows.values()].filter(({ etag }) => etag !== '').length,
    },
  }

  async function desire() {
    const blocks = removing ? [] : await readPlan(db, userId, now())
    return new Map(
      blocks.map((block): [string, Desired] => {
        const event = eventOf(block, target.detail, session.origin)
        return [block.thread, { block, event, fingerprint: fingerprintOf(event) }]
      }),
    )
  }

  function differs(desired: Map<string, Desired>) {
    const isWritten = ({ thread, fingerprint }: { thread: string; fingerprint: string }) =>
      desired.get(thread)?.fingerprint === fingerprint
    return desired.size !== rows.size || !rows.values().every(isWritten)
  }
}
