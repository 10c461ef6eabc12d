// The blocks that other programs show, and their form as calendar events.
import { createHash } from 'node:crypto'
import type { FeedDetail } from '@daywright/contract'
import type { WrittenEvent } from '@daywright/ical'
import { iso, many } from '../../platform/db/fragments.ts'
import { bigint, sql, timestamp, userId } from '../../platform/db/sql.ts'
import { withoutUnchangedSince } from '../planner/unchanged-since.ts'
import { explanationOfBlock, titleOfBlock } from '../time-blocks/time-block-json.ts'
import { uidOf } from './own-uid.ts'

export type PlanBlock = {
  id: string
  thread: string
  taskId: string | null
  title: string
  explanation: string | null
  startAt: string
  endAt: string
  createdAt: string
  updatedAt: string
}

export const product = '-//Daywright//Plan//EN'

/** At most this many blocks are shown: those nearest to the present. */
const mostBlocks = 2000
const dayMs = 86_400_000
const daysBack = 31
const daysAhead = 184

/** The parameters of `planBlocks`. */
export const planWindow = (now: Date) => ({
  now,
  from: new Date(now.getTime() - daysBack * dayMs),
  to: new Date(now.getTime() + daysAhead * dayMs),
  mostBlocks,
})

const nearest = sql`
  select *
    from time_blocks
   where user_id = ${userId} and status <> 'cancelled'
     and start_at >= ${timestamp('from')} and start_at < ${timestamp('to')}
   order by abs(extract(epoch from start_at - ${timestamp('now')}::timestamptz)), id
   limit ${bigint('mostBlocks')}`

export const planBlocks = many(
  {
    id: 'block.id',
    thread: 'coalesce(block.thread, block.id)',
    taskId: 'block.task_id',
    title: titleOfBlock,
    explanation: explanationOfBlock,
    startAt: iso('block.start_at'),
    endAt: iso('block.end_at'),
    createdAt: iso('block.created_at'),
    updatedAt: iso('block.updated_at'),
  },
  sql`from (${nearest}) block order by block.start_at, block.id`,
)

/** The block as an event. `origin` is that of the web app, for links to the tasks. */
export const eventOf = (
  block: PlanBlock,
  detail: FeedDetail,
  origin: string | undefined,
): WrittenEvent => ({
  uid: uidOf(block.thread),
  startAt: block.startAt,
  endAt: block.endAt,
  createdAt: block.createdAt,
  updatedAt: block.updatedAt,
  title: detail === 'busy' ? 'Busy' : block.title,
  ...(detail === 'full' && {
    ...(block.explanation && { description: withoutUnchangedSince(block.explanation) }),
    ...(block.taskId && origin !== undefined && { url: `${origin}/tasks/${block.taskId}` }),
  }),
  isPrivate: detail === 'full',
})

/** A hash of what a reader sees: it stays the same when a run replaces a block with an equal one. */
export function fingerprintOf({
  title,
  description,
  url,
  startAt,
  endAt,
  isPrivate,
}: WrittenEvent) {
  const seen = JSON.stringify([title, description, url, startAt, endAt, isPrivate])
  return createHash('sha256').update(seen).digest('hex')
}
