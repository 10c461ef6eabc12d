// Two-way sync: a block is moved when its event was moved on the server. If both were moved, the later change wins.
import { type CalendarState, type Client, syncCalendar } from '@daywright/caldav'
import type { Database } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors.ts'
import { NoAnswer } from '../calendars/caldav.ts'
import type { Reader } from '../calendars/reader.ts'
import { refusals } from '../calendars/refusals.ts'
import { uidOf } from '../feeds/own-uid.ts'
import { fingerprintOf, planWindow } from '../feeds/plan-blocks.ts'
import { updateTimeBlock } from '../time-blocks/time-blocks.queries.ts'
import type { PublishedBlock } from './publish.queries.ts'
import { type Desired, objectUrl } from './write-differences.ts'

const mostObjects = 20_000
const mostReadBytes = 5_000_000

export type Moving = {
  database: Database
  client: Client
  url: string
  now: () => Date
  reader: Reader
  userId: string
  zone: string
  desired: Map<string, Desired>
  rows: Map<string, PublishedBlock>
  marks: Omit<CalendarState, 'etags'>
}

/** Reads what has changed on the server since the last time, and moves the blocks. */
export async function applyMoves(moving: Moving) {
  const { client, url, rows, marks } = moving
  const threads = new Map(
    [...rows.values()]
      .filter(({ etag }) => etag !== '')
      .map((row) => [new URL(objectUrl(url, row.thread)).pathname, row.thread]),
  )
  const etags = new Map([...threads].map(([path, thread]) => [path, rows.get(thread)?.etag ?? '']))
  const options = { isWhole: false, copiesOnly: true, mostObjects, mostBytes: mostReadBytes }
  const { written, removed, token, tag } = await syncCalendar(
    client,
    url,
    { ...marks, etags },
    options,
  )
  for (const path of removed) {
    const row = rows.get(threads.get(path) ?? '')
    if (row) rows.set(row.thread, { ...row, etag: '' })
  }
  const { spans, changedAt } = await readEvents(
    moving,
    written.map(({ body }) => Buffer.from(body)),
  )
  for (const [i, { path, etag }] of written.entries()) {
    const row = rows.get(threads.get(path) ?? '')
    const span = row && spans.get(uidOf(row.thread))
    if (row) await settle(moving, { ...row, etag, isEdited: true }, span, changedAt[i] ?? 0)
  }
  return { token, tag }
}

type Span = { startAt: string; endAt: string }

/** The time span of each event by UID, and when each file was changed last. */
async function readEvents({ reader, now, userId, zone }: Moving, files: Buffer[]) {
  if (files.length === 0) return { spans: new Map<string, Span>(), changedAt: [] }
  const { from, to } = planWindow(now())
  const options = { from: from.toISOString(), to: to.toISOString(), zone }
  const events = await reader.readOwnEvents({ userId, name: 'plan' }, files, options)
  // No move is lost: the events are read again at the next attempt.
  if ('refused' in events) throw new NoAnswer(refusals[events.refused])
  const spans = new Map(
    events.spans.map(({ uid, startAt, endAt }): [string, Span] => [
      uid,
      { startAt: isoOf(startAt), endAt: isoOf(endAt) },
    ]),
  )
  return { spans, changedAt: events.changedAt }
}

/** The time in the format that the database writes. */
const isoOf = (time: string) => new Date(time).toISOString()

/** Moves the block. If our version is the later one, clears its fingerprint, so that it is written again. */
async function settle(
  { database, rows, desired, userId, now }: Moving,
  row: PublishedBlock,
  span: Span | undefined,
  changedAt: number,
) {
  const ours = desired.get(row.thread)
  if (!span || !ours || isSame(span, row)) return void rows.set(row.thread, row)
  const { block, event } = ours
  const isLater = isSame(block, row) || changedAt > Date.parse(block.updatedAt)
  const isMoved = isSame(span, block) || (isLater && (await move(block.id, span)))
  const fingerprint = isMoved ? fingerprintOf({ ...event, ...span }) : ''
  rows.set(row.thread, { ...row, ...(isMoved && span), fingerprint })

  async function move(id: string, { startAt, endAt }: Span) {
    try {
      const db = database.as({ kind: 'calendar' }, { key: userId })
      const times = { startAt: new Date(startAt), endAt: new Date(endAt) }
      await updateTimeBlock(db, userId, id, times, now())
      return true
    } catch (error) {
      // The block cannot be moved like this, for example to more than a day.
      if (error instanceof ApiError && error.status < 500) return false
      throw error
    }
  }
}

/** Compares to the second, since events have no milliseconds. */
const isSame = (one: Span, other: Span) =>
  secondOf(one.startAt) === secondOf(other.startAt) && secondOf(one.endAt) === secondOf(other.endAt)

const secondOf = (time: string) => Math.floor(Date.parse(time) / 1000)
