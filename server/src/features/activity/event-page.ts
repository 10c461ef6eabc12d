// A page of events is bounded by number and by bytes, so that large records neither fill the memory nor
// exceed the statement timeout.
import { asSql, type SqlText } from '../../platform/db/fragments.ts'
import { raw, sql, userId } from '../../platform/db/sql.ts'

const mostBytes = 1_000_000

type Asked<Condition extends SqlText, Most extends SqlText> = {
  /** SQL condition over `events`. */
  where: Condition
  order?: 'asc' | 'desc'
  most: Most
}

/**
 * CTEs: `asked` selects one event more than requested, and `page` those of them that fit. The first event always
 * fits, so that a reader makes progress. Only the records of the page are read.
 */
export const eventPage = <Condition extends SqlText, Most extends SqlText>({
  where,
  order = 'asc',
  most,
}: Asked<Condition, Most>) => sql`
  asked as (
    select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
      from (select * from events
             where events.user_id = ${userId} and ${asSql(where)}
             order by events.seq ${raw(order)}, events.part ${raw(order)}
             limit ${asSql(most)} + 1) event
    window place as (order by event.seq ${raw(order)}, event.part ${raw(order)}
                     rows unbounded preceding)
  ), page as (
    select * from asked
     where place <= ${asSql(most)} and (place = 1 or bytes_so_far <= ${raw(mostBytes)})
  )`

/** True if `asked` has events that did not fit. */
export const hasMore = sql`(select count(*) from asked) > (select count(*) from page)`
