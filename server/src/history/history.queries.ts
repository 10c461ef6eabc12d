import type { History, HistoryQuery } from '@daywright/contract'
import type { Actor, Db } from '../db/database.ts'
import { answering, object, selecting } from '../db/statement.ts'
import { event, place } from '../events/event-json.ts'
import { eventPage, hasMore } from '../events/event-page.ts'

const listWhere = (name: string, condition: string) =>
  answering<History>(
    name,
    `
  with ${eventPage({
    where: `(events.seq, events.part) < ($2::bigint, $3::int) ${condition}`,
    order: 'desc',
    most: '$4::int',
  })}
  select ${object({
    events: `(select coalesce(json_agg(${object(event)} order by event.place), '[]')
                from page event)`,
    next: `(select event.seq || '-' || event.part
              from page event
             where ${hasMore}
             order by event.place desc
             limit 1)`,
  })}::text as json`,
  )

const list = listWhere('history.list', '')
const listOfRecord = listWhere('history.list-of-record', 'and events.record_id = $5::uuid')

const theEnd = '999999999999999-999999999'

export function listHistory(db: Db, userId: string, { recordId, before, limit }: HistoryQuery) {
  const { seq, part } = place(before ?? theEnd)
  return recordId
    ? listOfRecord(db, userId, seq, part, limit, recordId)
    : list(db, userId, seq, part, limit)
}

export type PastEvent = {
  seq: number
  type: string
  record_id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  actor: Actor
}

const find = selecting<PastEvent>(
  'history.find',
  `
  select seq, type, record_id, before, after, actor
    from events
   where user_id = $1 and seq = $2 and part = $3`,
)

export async function findEvent(db: Db, userId: string, id: string) {
  const { seq, part } = place(id)
  return (await find(db, userId, seq, part))[0]
}

const latest = selecting<PastEvent>(
  'history.find-latest',
  `
  select seq, type, record_id, before, after, actor
    from events
   where user_id = $1 and record_id = $2
   order by seq desc, part desc
   limit 1`,
)

export const findLatest = async (db: Db, userId: string, recordId: string) =>
  (await latest(db, userId, recordId))[0]
