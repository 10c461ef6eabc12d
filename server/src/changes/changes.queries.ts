import type { Changes, ChangesQuery } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { answering, object } from '../db/statement.ts'
import { event, missedAfter, place } from '../events/event-json.ts'
import { eventPage, hasMore } from '../events/event-page.ts'

// A cursor past the end continues from the end.
const list = answering<Changes>(
  'changes.list',
  `
  with ${eventPage({
    where: '(events.seq, events.part) > ($2::bigint, $3::int)',
    most: '$4::int',
  })}, head as (
    select coalesce((select last_event from agendas where user_id = $1), 0) as last
  )
  select ${object({
    events: `(select coalesce(json_agg(${object(event)} order by event.place), '[]')
                from page event)`,
    next: `coalesce((select event.seq || '-' || event.part
                       from page event
                      order by event.place desc limit 1),
                    case when $2::bigint > head.last then head.last || '-999999999'
                         else $2::bigint || '-' || $3::int end)`,
    more: hasMore,
    missed: missedAfter('$2::bigint'),
  })}::text as json
    from head`,
)

export function listChanges(db: Db, userId: string, { since, limit }: ChangesQuery) {
  const { seq, part } = place(since)
  return list(db, userId, seq, part, limit)
}
