-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- labels.delete
with old as (select id from labels where user_id = $1 and id = $2 for update),
  unlinked as (
    delete from task_labels
    where user_id = $1 and label_id in (select id from old)
    returning task_id
  ), gone as (delete from labels where user_id = $1 and id in (select id from old) returning *), change as (
    select 0 as place, 'label.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select label.id as id,
        (
          select to_jsonb(row)
          from (
            select label.id as "id", label.user_id as "userId", label.name as "name",
              label.color as "color", iso(label.created_at) as "createdAt",
              iso(label.updated_at) as "updatedAt",
              (select coalesce(json_agg(task_id order by task_id), '[]') from unlinked) as "taskIds"
          ) row
        ) as json
      from gone label
    ) one
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, label_count, history_bytes)
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
      label_count = case
        when excluded.label_count <= 0
          or (user_state.label_count + excluded.label_count > ($4::jsonb ->> 'labels')::bigint) is not true then user_state.label_count + excluded.label_count
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

-- labels.insert
with label as (insert into labels (user_id, id, name, color) values ($1, $2, $3, $4) returning *),
  change as (
    select 0 as place, 'label.created' as type, one.id, null::jsonb as before, one.json as after
    from (
      select label.id as id,
        (
          select to_jsonb(row)
          from (
            select label.id as "id", label.user_id as "userId", label.name as "name",
              label.color as "color", iso(label.created_at) as "createdAt",
              iso(label.updated_at) as "updatedAt"
          ) row
        ) as json
      from label label
    ) one
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, label_count, history_bytes)
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
      label_count = case
        when excluded.label_count <= 0
          or (user_state.label_count + excluded.label_count > ($6::jsonb ->> 'labels')::bigint) is not true then user_state.label_count + excluded.label_count
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $5::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select json_build_object(
  'id', label.id, 'userId', label.user_id, 'name', label.name, 'color', label.color, 'createdAt',
  iso(label.created_at), 'updatedAt', iso(label.updated_at)
)::text as json
from label;

-- labels.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select label.id as "id", label.user_id as "userId", label.name as "name",
      label.color as "color", iso(label.created_at) as "createdAt",
      iso(label.updated_at) as "updatedAt", json_build_object('tasks', carrying.count) as "_count"
    from labels label
    cross join lateral (
      select count(*) from task_labels link where link.user_id = $1 and link.label_id = label.id
    ) carrying
    where label.user_id = $1
    order by label.name
  ) row
)::text as json;

-- labels.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from labels old
  where user_id = $1 and id = $3
  for no key update
), label as (
  update labels label
  set (name, color) = (select name, color from jsonb_populate_record(label, $2)),
    updated_at = greatest(current_timestamp, label.updated_at + interval '1 millisecond')
  from old
  where label.user_id = $1 and label.id = old.id and old.differs
  returning label.*, old.differs
), change as (
  select 0 as place, 'label.updated' as type, new.id, old.json as before, new.json as after
  from (
    select label.id as id,
      (
        select to_jsonb(row)
        from (
          select label.id as "id", label.user_id as "userId", label.name as "name",
            label.color as "color", iso(label.created_at) as "createdAt",
            iso(label.updated_at) as "updatedAt"
        ) row
      ) as json
    from old label
  ) old
  join (
    select label.id as id,
      (
        select to_jsonb(row)
        from (
          select label.id as "id", label.user_id as "userId", label.name as "name",
            label.color as "color", iso(label.created_at) as "createdAt",
            iso(label.updated_at) as "updatedAt"
        ) row
      ) as json
    from label label
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
  'id', label.id, 'userId', label.user_id, 'name', label.name, 'color', label.color, 'createdAt',
  iso(label.created_at), 'updatedAt', iso(label.updated_at)
)::text as json
from (select * from label union all select * from old where not exists (select from label)) label;
