import type { History, HistoryQuery } from '@daywright/contract'
import type { Actor, Db } from '../../platform/db/database.ts'
import { object } from '../../platform/db/fragments.ts'
import { bigint, integer, sql, type Sql, userId, uuid } from '../../platform/db/sql.ts'
import { queryJson, queryRows } from '../../platform/db/statement.ts'
import { event, place } from './event-json.ts'
import { eventPage, hasMore } from './event-page.ts'

const defineList = <Given>(name: string, condition: Sql<Given>) =>
  queryJson<History>()(
    name,
    sql`
  with ${eventPage({
    where: sql`(events.seq, events.part) < (${bigint('seq')}::bigint, ${integer('part')}::int)
               ${condition}`,
    order: 'desc',
    most: sql`${integer('limit')}::int`,
  })}
  select ${object({
    events: sql`(select coalesce(json_agg(${object(event)} order by event.place), '[]')
                from page event)`,
    next: sql`(select event.seq || '-' || event.part
              from page event
             where ${hasMore}
             order by event.place desc
             limit 1)`,
  })}::text as json`,
  )

const list = defineList('history.list', sql``)
const listOfRecord = defineList(
  'history.list-of-record',
  sql`and events.record_id = ${uuid('recordId')}::uuid`,
)

const theEnd = '999999999999999-999999999'

export function listHistory(db: Db, userId: string, { recordId, before, limit }: HistoryQuery) {
  const { seq, part } = place(before ?? theEnd)
  return recordId
    ? listOfRecord(db, { userId, seq, part, limit, recordId })
    : list(db, { userId, seq, part, limit })
}

export type PastEvent = {
  seq: number
  type: string
  record_id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  actor: Actor
}

const find = queryRows<PastEvent>()(
  'history.find',
  sql`
  select seq, type, record_id, before, after, actor
    from events
   where user_id = ${userId} and seq = ${bigint('seq')} and part = ${integer('part')}`,
)

export async function findEvent(db: Db, userId: string, id: string) {
  const { seq, part } = place(id)
  return (await find(db, { userId, seq, part }))[0]
}

const latest = queryRows<PastEvent>()(
  'history.find-latest',
  sql`
  select seq, type, record_id, before, after, actor
    from events
   where user_id = ${userId} and record_id = ${uuid('recordId')}
   order by seq desc, part desc
   limit 1`,
)

export const findLatest = async (db: Db, userId: string, recordId: string) =>
  (await latest(db, { userId, recordId }))[0]
