import type { Feed, FeedDetail, IssuedFeed, NewFeed } from '@daywright/contract'
import { newFeedToken } from '../../platform/auth/api-key-format.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import type { Db } from '../../platform/db/database.ts'
import { iso, many, object } from '../../platform/db/fragments.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { bigint, bytes, sql, text, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import {
  deleteReturning,
  execute,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { type PlanBlock, planBlocks, planWindow } from './plan-blocks.ts'

const most = 10
/** The precision of `lastReadAt`: an exact time would add a write to every request. */
const readEveryMs = 3_600_000

const feed = {
  id: 'feed.id',
  name: 'feed.name',
  detail: 'feed.detail',
  createdAt: iso('feed.created_at'),
  lastReadAt: iso('feed.last_read_at'),
}

const record = { fields: feed, row: 'feed' }

const list = queryJson<Feed[]>()(
  'feeds.list',
  sql`
  select ${many(
    feed,
    sql`from feeds feed where feed.user_id = ${userId} order by feed.created_at desc, feed.id desc`,
  )}::text as json`,
)

const insert = queryJsonOrNone<IssuedFeed>()(
  'feeds.insert',
  sql`
  with feed as (
    insert into feeds (user_id, id, name, detail, hash)
    select ${userId}, ${uuid('id')}, ${text('name')}, ${text('detail')}, ${bytes('hash')}
     where (select count(*) from feeds where user_id = ${userId}) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'feed.created', after: 'feed' }])}
  select ${object({ ...feed, path: sql`${text('path')}::text` })}::text as json from feed`,
)

const remove = deleteReturning(
  'feeds.delete',
  sql`
  with gone as (
    delete from feeds where user_id = ${userId} and id = ${uuid('id')} returning *
  ), ${appendEvents([{ ...record, type: 'feed.deleted', before: 'gone' }])}
  select id from gone`,
)

type FoundFeed = {
  id: string
  name: string
  detail: FeedDetail
  last_read_at: Date | null
  last_event: number
}

const now = timestamp('now')

const find = queryRows<FoundFeed>()(
  'feeds.find',
  sql`
  select feed.id, feed.name, feed.detail, feed.last_read_at,
         coalesce((select last_event from user_state where user_id = ${userId}), 0) as last_event
    from feeds feed
    join users person on person.id = ${userId}
   where feed.user_id = ${userId} and feed.hash = ${bytes('hash')} and person.disabled_at is null`,
)

const listBlocks = queryRows<{ blocks: PlanBlock[] }>()(
  'feeds.list-blocks',
  sql`select ${planBlocks} as blocks`,
)

const noteRead = execute(
  'feeds.note-read',
  sql`update feeds set last_read_at = ${now} where user_id = ${userId} and id = ${uuid('id')}`,
)

export const listFeeds = (db: Db, userId: string) => list(db, { userId })

/** Creates a feed; serialized per user, so that the limit cannot be exceeded. Only this response has the address. */
export const createFeed = (db: Db, userId: string, { name, detail = 'full' }: NewFeed) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { key: token, hash } = newFeedToken(userId)
    const path = `/feeds/${token}.ics`
    const made = await insert(transaction, { userId, id: newId(), name, detail, hash, path, most })
    if (!made) throw conflict(`At most ${most} feeds; delete one first`)
    return made
  })

export async function deleteFeed(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw notFound('Feed not found')
}

/** The feed with this token. */
export async function findFeed(db: Db, token: { userId: string; hash: Buffer }, now: Date) {
  const [found] = await find(db, token)
  if (!found) throw notFound('Not found')
  if (now.getTime() - (found.last_read_at?.getTime() ?? 0) >= readEveryMs) {
    // A failed write does no harm: the next request tries again.
    await noteRead(db, { userId: token.userId, id: found.id, now }).catch(() => {})
  }
  return found
}

/** The blocks of a feed, 31 days back and 184 ahead. */
export async function listFeedBlocks(db: Db, userId: string, now: Date) {
  const [found] = await listBlocks(db, { userId, ...planWindow(now) })
  return found?.blocks ?? []
}
