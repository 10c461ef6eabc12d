import type { Changes, ChangesQuery } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { answering, object } from '../db/statement.ts'
import { event, place } from '../events/event-json.ts'

// One event more than is asked for says whether there are more. Numbers have no gaps but those that
// retention made, so the first one kept says whether any are missing.
const list = answering<Changes>(
  'changes.list',
  `
  with asked as (
    select event.*, row_number() over (order by event.seq, event.part) as place
      from (select * from events
             where events.user_id = $1 and (events.seq, events.part) > ($2::bigint, $3::int)
             order by events.seq, events.part
             limit $4::int + 1) event
  ), head as (
    select coalesce((select last_event from agendas where user_id = $1), 0) as last
  )
  select ${object({
    events: `(select coalesce(json_agg(${object(event)} order by event.place), '[]')
                from asked event where event.place <= $4::int)`,
    next: `coalesce((select event.seq || '-' || event.part
                       from asked event where event.place <= $4::int
                      order by event.place desc limit 1),
                    $2::bigint || '-' || $3::int)`,
    more: '(select count(*) from asked) > $4::int',
    missed: `$2::bigint < head.last and
             coalesce((select min(seq) from events where user_id = $1), head.last + 1) > $2::bigint + 1`,
  })}::text as json
    from head`,
)

export function listChanges(db: Db, userId: string, { since, limit }: ChangesQuery) {
  const { seq, part } = place(since)
  return list(db, userId, seq, part, limit)
}
