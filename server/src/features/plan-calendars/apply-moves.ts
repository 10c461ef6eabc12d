// Two-way sync: a block is moved when its event was moved on the server. If both were moved, the later change wins.
import { type CalendarState, type Send, syncCalendar } from '@daywright/caldav'
import type { Database } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors.ts'
import { NoAnswer } from '../calendars/caldav.ts'
import type { ReadFile } from '../calendars/read-in-thread.ts'
import { uidOf } from '../feeds/own-uid.ts'
import { fingerprintOf, planWindow } from '../feeds/plan-blocks.ts'
import { updateTimeBlock } from '../time-blocks/time-blocks.queries.ts'
import type { PublishedBlock } from './publish.queries.ts'
import { type Desired, objectUrl } from './write-differences.ts'

const mostObjects = 20_000
const mostReadBytes = 5_000_000

export type Moving = {
  database: Database
  send: Send
  url: string
  now: () => Date
  readFile: ReadFile
  userId: string
  zone: string
  desired: Map<string, Desired>
  rows: Map<string, PublishedBlock>
  marks: Omit<CalendarState, 'etags'>
}

/** Reads what has changed on the server since the last time, and moves the blocks. */
export async function applyMoves(moving: Moving) {
  const { send, url, rows, marks } = moving
  const threads = new Map(
    [...rows.values()]
      .filter(({ etag }) => etag !== '')
      .map((row) => [new URL(objectUrl(url, row.thread)).pathname, row.thread]),
  )
  const etags = new Map([...threads].map(([path, thread]) => [path, rows.get(thread)?.etag ?? '']))
  const options = { isWhole: false, copiesOnly: true, mostObjects, mostBytes: mostReadBytes }
  const { written, removed, token, tag } = await syncCalendar(
    send,
    url,
    { ...marks, etags },
    options,
  )
  for (const path of removed) {
    const row = rows.get(threads.get(path) ?? '')
    if (row) rows.set(row.thread, { ...row, etag: '' })
  }
  const spans = await readSpans(
    moving,
    written.map(({ body }) => body),
  )
  for (const { path, etag, body } of written) {
    const row = rows.get(threads.get(path) ?? '')
    const span = row && spans.get(uidOf(row.thread))
    if (row) await settle(moving, { ...row, etag, isEdited: true }, span, lastChangeOf(body))
  }
  return { token, tag }
}

type Span = { startAt: string; endAt: string }

/** The time span of each event, by UID. All-day events, and events with several occurrences, have none. */
async function readSpans({ readFile, now, zone }: Moving, files: string[]) {
  const spans = new Map<string, Span>()
  if (files.length === 0) return spans
  const { from, to } = planWindow(now())
  const reading = await readFile(
    files.map((file) => Buffer.from(file)),
    { from: from.toISOString(), to: to.toISOString(), zone, events: 'own' },
  )
  // No move is lost: the events are read again at the next attempt.
  if ('refused' in reading) throw new NoAnswer('The events cannot be read now')
  const seen = new Set<string>()
  for (const { uid, startAt, endAt, isAllDay } of reading.occurrences) {
    if (uid === null) continue
    if (seen.has(uid) || isAllDay) spans.delete(uid)
    else spans.set(uid, { startAt: isoOf(startAt), endAt: isoOf(endAt) })
    seen.add(uid)
  }
  return spans
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

/** The time of the last change that the event states; 0 if it states none. */
function lastChangeOf(body: string) {
  const stamps = [
    ...body.matchAll(/^(?:LAST-MODIFIED|DTSTAMP):(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/gm),
  ]
  const times = stamps.map(([, year, month, day, hour, minute, second]) =>
    Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
  )
  return Math.max(0, ...times.filter((time) => time > 0))
}
