// A page of events is bounded by number and by bytes, so that large records neither fill the memory nor
// exceed the statement timeout.

const mostBytes = 1_000_000

type Asked = {
  /** SQL condition over `events`. */
  where: string
  order?: 'asc' | 'desc'
  most: string
}

/**
 * CTEs: `asked`, the events without their records, one more than requested, and `page`, those that fit.
 * The first always fits, so that a reader makes progress. Only the records of the page are read.
 */
export const eventPage = ({ where, order = 'asc', most }: Asked) => `
  asked as (
    select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
      from (select * from events
             where events.user_id = $1 and ${where}
             order by events.seq ${order}, events.part ${order}
             limit ${most} + 1) event
    window place as (order by event.seq ${order}, event.part ${order} rows unbounded preceding)
  ), page as (
    select * from asked
     where place <= ${most} and (place = 1 or bytes_so_far <= ${mostBytes})
  )`

/** True if `asked` has events that did not fit. */
export const hasMore = '(select count(*) from asked) > (select count(*) from page)'
