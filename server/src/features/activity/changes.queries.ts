import type { Changes, ChangesQuery } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { object } from '../../platform/db/fragments.ts'
import { bigint, integer, sql, userId } from '../../platform/db/sql.ts'
import { queryJson } from '../../platform/db/statement.ts'
import { event, requiresResync, place } from './event-json.ts'
import { eventPage, hasMore } from './event-page.ts'

const seq = bigint('seq')
const part = integer('part')

// A cursor past the end continues from the end.
const list = queryJson<Changes>()(
  'changes.list',
  sql`
  with ${eventPage({
    where: sql`(events.seq, events.part) > (${seq}::bigint, ${part}::int)`,
    most: sql`${integer('limit')}::int`,
  })}, head as (
    select coalesce((select last_event from user_state where user_id = ${userId}), 0) as last
  )
  select ${object({
    events: sql`(select coalesce(json_agg(${object(event)} order by event.place), '[]')
                from page event)`,
    next: sql`coalesce((select event.seq || '-' || event.part
                       from page event
                      order by event.place desc limit 1),
                    case when ${seq}::bigint > head.last then head.last || '-999999999'
                         else ${seq}::bigint || '-' || ${part}::int end)`,
    more: hasMore,
    resyncRequired: requiresResync(sql`${seq}::bigint`),
  })}::text as json
    from head`,
)

export function listChanges(db: Db, userId: string, { since, limit }: ChangesQuery) {
  const { seq, part } = place(since)
  return list(db, { userId, seq, part, limit })
}
