-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- events.after
with asked as (
  select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
  from (
    select *
    from events
    where events.user_id = $1 and (events.seq, events.part) > ($2::bigint, $3::int)
    order by events.seq asc, events.part asc
    limit 500 + 1
  ) event window place as (order by event.seq asc, event.part asc rows unbounded preceding)
), page as (select * from asked where place <= 500 and (place = 1 or bytes_so_far <= 1000000))
select event.seq, event.part, event.type,
  (
    select to_json(row)
    from (
      select event.seq || '-' || event.part as "id", iso(event.at) as "at", event.type as "type",
        event.record_id as "recordId", event.before as "before", event.after as "after",
        event.actor as "actor"
    ) row
  )::text as json,
  (select count(*) from asked) > (select count(*) from page) as more
from page event
order by event.place;

-- events.append
with counted as (
  insert into user_state (user_id, last_event)
  values ($1, 1)
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    due_at = case
      when user_state.has_webhooks
        or user_state.publishes then least(user_state.due_at, excluded.due_at)
      else user_state.due_at
    end
  returning last_event
)
insert into events (user_id, seq, part, type, record_id, before, after, actor)
select $1, counted.last_event, 1, $2, $3, $4, $5, $6::jsonb
from counted;

-- events.head
select coalesce((select last_event from user_state where user_id = $1), 0) as last,
  (
    $2::bigint <> coalesce((select last_event from user_state where user_id = $1), 0)
    and not exists (select from events where user_id = $1 and seq = $2::bigint)
    and coalesce((select min(seq) from events where user_id = $1), 0) <> $2::bigint + 1
  ) as "resyncRequired";

-- events.heads
select user_state.user_id
from unnest($1::uuid[], $2::bigint[]) seen (user_id, seq)
join user_state on user_state.user_id = seen.user_id
where user_state.last_event > seen.seq;
