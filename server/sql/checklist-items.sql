-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- checklist-items.delete
with gone as (delete from checklist_items where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'checklistItem.deleted' as type, one.id, one.json as before,
      null::jsonb as after
    from (
      select item.id as id,
        (
          select to_jsonb(row)
          from (
            select item.id as "id", item.task_id as "taskId", item.title as "title",
              item.completed as "completed", item.sort_order as "sortOrder"
          ) row
        ) as json
      from gone item
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, checklist_item_count, history_bytes
    )
    select $1, 1, null, current_timestamp,
      coalesce(
        sum((change.after is not null)::int - (change.before is not null)::int) filter (
          where change.place in (0)
        ),
        0
      ),
      sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
    from change
    having count(*) > 0
    on conflict (user_id) do update
    set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
      due_at = case
        when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      checklist_item_count = case
        when excluded.checklist_item_count <= 0
          or (
            user_state.checklist_item_count + excluded.checklist_item_count > (
              $4::jsonb ->> 'checklistItems'
            )::bigint
          ) is not true then user_state.checklist_item_count + excluded.checklist_item_count
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $3::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from gone;

-- checklist-items.insert
with item as (
  insert into checklist_items (user_id, id, task_id, title)
  select $1, $2, task.id, $3
  from tasks task
  where task.user_id = $1 and task.id = $4
  for key share
  returning *
), change as (
  select 0 as place, 'checklistItem.created' as type, one.id, null::jsonb as before,
    one.json as after
  from (
    select item.id as id,
      (
        select to_jsonb(row)
        from (
          select item.id as "id", item.task_id as "taskId", item.title as "title",
            item.completed as "completed", item.sort_order as "sortOrder"
        ) row
      ) as json
    from item item
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, checklist_item_count, history_bytes
  )
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    checklist_item_count = case
      when excluded.checklist_item_count <= 0
        or (
          user_state.checklist_item_count + excluded.checklist_item_count > (
            $6::jsonb ->> 'checklistItems'
          )::bigint
        ) is not true then user_state.checklist_item_count + excluded.checklist_item_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $5::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', item.id, 'taskId', item.task_id, 'title', item.title, 'completed', item.completed,
  'sortOrder', item.sort_order
)::text as json
from item;

-- checklist-items.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from checklist_items old
  where user_id = $1 and id = $3
  for no key update
), item as (
  update checklist_items item
  set (title, completed, sort_order) = (
    select title, completed, sort_order from jsonb_populate_record(item, $2)
  )
  from old
  where item.user_id = $1 and item.id = old.id and old.differs
  returning item.*, old.differs
), change as (
  select 0 as place, 'checklistItem.updated' as type, new.id, old.json as before, new.json as after
  from (
    select item.id as id,
      (
        select to_jsonb(row)
        from (
          select item.id as "id", item.task_id as "taskId", item.title as "title",
            item.completed as "completed", item.sort_order as "sortOrder"
        ) row
      ) as json
    from old item
  ) old
  join (
    select item.id as id,
      (
        select to_jsonb(row)
        from (
          select item.id as "id", item.task_id as "taskId", item.title as "title",
            item.completed as "completed", item.sort_order as "sortOrder"
        ) row
      ) as json
    from item item
  ) new using (id)
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', item.id, 'taskId', item.task_id, 'title', item.title, 'completed', item.completed,
  'sortOrder', item.sort_order
)::text as json
from (select * from item union all select * from old where not exists (select from item)) item;
