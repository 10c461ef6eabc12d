-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- changes.list
with asked as (
  select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
  from (
    select *
    from events
    where events.user_id = $1 and (events.seq, events.part) > ($2::bigint, $3::int)
    order by events.seq asc, events.part asc
    limit $4::int + 1
  ) event window place as (order by event.seq asc, event.part asc rows unbounded preceding)
), page as (select * from asked where place <= $4::int and (place = 1 or bytes_so_far <= 1000000)), head as (
  select coalesce((select last_event from user_state where user_id = $1), 0) as last
)
select json_build_object(
  'events',
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id', event.seq || '-' || event.part, 'at', iso(event.at), 'type', event.type, 'recordId',
          event.record_id, 'before', event.before, 'after', event.after, 'actor', event.actor
        )
        order by event.place
      ),
      '[]'
    )
    from page event
  ),
  'next',
  coalesce(
    (select event.seq || '-' || event.part from page event order by event.place desc limit 1),
    case
      when $2::bigint > head.last then head.last || '-999999999' else $2::bigint || '-' || $3::int
    end
  ),
  'more', (select count(*) from asked) > (select count(*) from page), 'resyncRequired',
  (
    $2::bigint <> coalesce((select last_event from user_state where user_id = $1), 0)
    and not exists (select from events where user_id = $1 and seq = $2::bigint)
    and coalesce((select min(seq) from events where user_id = $1), 0) <> $2::bigint + 1
  )
)::text as json
from head;
