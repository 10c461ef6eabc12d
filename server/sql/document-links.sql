-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- document-links.delete
with gone as (
  delete from task_documents where user_id = $1 and task_id = $2 and document_id = $3 returning *
), change as (
  select 0 as place, 'documentLink.deleted' as type, one.id, one.json as before,
    null::jsonb as after
  from (
    select link.task_id as id,
      (
        select to_jsonb(row)
        from (select link.task_id as "taskId", link.document_id as "documentId") row
      ) as json
    from gone link
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, document_link_count, history_bytes
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
      when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    document_link_count = case
      when excluded.document_link_count <= 0
        or (
          user_state.document_link_count + excluded.document_link_count > (
            $5::jsonb ->> 'documentLinks'
          )::bigint
        ) is not true then user_state.document_link_count + excluded.document_link_count
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
select task_id
from gone;

-- document-links.insert
with document as (select id from documents where user_id = $1 and id = $2 for key share),
  task as (
    select *
    from tasks
    where user_id = $1 and id = $3
      and (select count(*) from document) < 2 -- locks the document first
    for key share
  ), added as (
    insert into task_documents (user_id, task_id, document_id)
    select $1, task.id, document.id
    from task, document
    on conflict do nothing
    returning *
  ), change as (
    select 0 as place, 'documentLink.created' as type, one.id, null::jsonb as before,
      one.json as after
    from (
      select link.task_id as id,
        (
          select to_jsonb(row)
          from (select link.task_id as "taskId", link.document_id as "documentId") row
        ) as json
      from added link
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, document_link_count, history_bytes
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
        when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      document_link_count = case
        when excluded.document_link_count <= 0
          or (
            user_state.document_link_count + excluded.document_link_count > (
              $5::jsonb ->> 'documentLinks'
            )::bigint
          ) is not true then user_state.document_link_count + excluded.document_link_count
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select exists (select from document) as other, exists (select from added) as is_new,
  (
    select to_json(row)
    from (
      select link.task_id as "taskId", link.document_id as "documentId",
        json_build_object('id', task.id, 'title', task.title, 'status', task.status) as "task"
    ) row
  )::text as json
from task, (select $3::uuid as task_id, $2::uuid as document_id) link;
