-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- history.find
select seq, type, record_id, before, after, actor
from events
where user_id = $1 and seq = $2 and part = $3;

-- history.find-latest
select seq, type, record_id, before, after, actor
from events
where user_id = $1 and record_id = $2
order by seq desc, part desc
limit 1;

-- history.labels-of-tasks
select task.id,
  array(
    select link.label_id from task_labels link where link.user_id = $1 and link.task_id = task.id
  ) as label_ids
from tasks task
where task.user_id = $1 and task.id = any($2::uuid[])
order by task.id
for no key update;

-- history.labels-still-there
select id from labels where user_id = $1 and id = any($2::uuid[]);

-- history.list
with asked as (
  select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
  from (
    select *
    from events
    where events.user_id = $1 and (events.seq, events.part) < ($2::bigint, $3::int)
    order by events.seq desc, events.part desc
    limit $4::int + 1
  ) event window place as (order by event.seq desc, event.part desc rows unbounded preceding)
), page as (select * from asked where place <= $4::int and (place = 1 or bytes_so_far <= 1000000))
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
  (
    select event.seq || '-' || event.part
    from page event
    where (select count(*) from asked) > (select count(*) from page)
    order by event.place desc
    limit 1
  )
)::text as json;

-- history.list-of-record
with asked as (
  select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
  from (
    select *
    from events
    where events.user_id = $1 and (events.seq, events.part) < ($2::bigint, $3::int)
      and events.record_id = $4::uuid
    order by events.seq desc, events.part desc
    limit $5::int + 1
  ) event window place as (order by event.seq desc, event.part desc rows unbounded preceding)
), page as (select * from asked where place <= $5::int and (place = 1 or bytes_so_far <= 1000000))
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
  (
    select event.seq || '-' || event.part
    from page event
    where (select count(*) from asked) > (select count(*) from page)
    order by event.place desc
    limit 1
  )
)::text as json;

-- history.restore-checklistItem
with item as (
  insert into checklist_items (user_id, id, task_id, title, completed, sort_order)
  select $1, id, task_id, title, completed, sort_order
  from jsonb_populate_record(null::checklist_items, $2) record
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from item;

-- history.restore-document
with document as (
  insert into documents (
    user_id, id, space_id, project_id, title, content, url, doc_type, sort_order, created_at,
    updated_at
  )
  select $1, id, space_id, project_id, title, content, url, doc_type, sort_order, created_at,
    updated_at
  from jsonb_populate_record(null::documents, $2) record
  returning *
), change as (
  select 0 as place, 'document.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select document.id as id,
      (
        select to_jsonb(row)
        from (
          select document.id as "id", document.user_id as "userId", document.space_id as "spaceId",
            document.project_id as "projectId", document.title as "title",
            json_build_object(
              'hash', encode(document.content_hash, 'hex'), 'length', octet_length(document.content)
            ) as "content",
            document.url as "url", document.doc_type as "docType",
            document.sort_order as "sortOrder", iso(document.created_at) as "createdAt",
            iso(document.updated_at) as "updatedAt"
        ) row
      ) as json
    from document document
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, document_count, text_bytes, history_bytes
  )
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    coalesce(
      sum(
        coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
          (change.before -> 'content' ->> 'length')::bigint, 0
        )
      ) filter (where change.place = 0),
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
    document_count = case
      when excluded.document_count <= 0
        or (
          user_state.document_count + excluded.document_count > ($4::jsonb ->> 'documents')::bigint
        ) is not true then user_state.document_count + excluded.document_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from document;

-- history.restore-label
with label as (
  insert into labels (user_id, id, name, color, created_at, updated_at)
  select $1, id, name, color, created_at, updated_at
  from jsonb_populate_record(null::labels, $2) record
  returning *
), change as (
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from label;

-- history.restore-project
with project as (
  insert into projects (
    user_id, id, space_id, name, description, color, icon, status, priority, target_date, archived,
    sort_order, created_at, updated_at, auto_schedule, schedule_preference_id
  )
  select $1, id, space_id, name, description, color, icon, status, priority, target_date, archived,
    sort_order, created_at, updated_at, auto_schedule, schedule_preference_id
  from jsonb_populate_record(null::projects, $2) record
  returning *
), change as (
  select 0 as place, 'project.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select project.id as id,
      (
        select to_jsonb(row)
        from (
          select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
            project.name as "name", project.description as "description", project.color as "color",
            project.icon as "icon", project.status as "status", project.priority as "priority",
            iso(project.target_date) as "targetDate", project.archived as "archived",
            project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
            iso(project.updated_at) as "updatedAt", project.auto_schedule as "autoSchedule",
            project.schedule_preference_id as "schedulePreferenceId"
        ) row
      ) as json
    from project project
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, project_count, text_bytes, history_bytes
  )
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
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
    project_count = case
      when excluded.project_count <= 0
        or (user_state.project_count + excluded.project_count > ($4::jsonb ->> 'projects')::bigint) is not true then user_state.project_count + excluded.project_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from project;

-- history.restore-schedulePreference
with preference as (
  insert into schedule_preferences (user_id, id, name, windows, priority, created_at, updated_at)
  select $1, id, name, windows, priority, created_at, updated_at
  from jsonb_populate_record(null::schedule_preferences, $2) record
  returning *
), change as (
  select 0 as place, 'schedulePreference.created' as type, one.id, null::jsonb as before,
    one.json as after
  from (
    select preference.id as id,
      (
        select to_jsonb(row)
        from (
          select preference.id as "id", preference.user_id as "userId", preference.name as "name",
            preference.windows as "windows", preference.priority as "priority",
            iso(preference.created_at) as "createdAt", iso(preference.updated_at) as "updatedAt"
        ) row
      ) as json
    from preference preference
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, schedule_preference_count, history_bytes
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
    schedule_preference_count = case
      when excluded.schedule_preference_count <= 0
        or (
          user_state.schedule_preference_count + excluded.schedule_preference_count > (
            $4::jsonb ->> 'schedulePreferences'
          )::bigint
        ) is not true then user_state.schedule_preference_count + excluded.schedule_preference_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from preference;

-- history.restore-space
with space as (
  insert into spaces (
    user_id, id, name, color, icon, is_default, sort_order, created_at, updated_at,
    schedule_preference_id
  )
  select $1, id, name, color, icon, is_default, sort_order, created_at, updated_at,
    schedule_preference_id
  from jsonb_populate_record(null::spaces, $2) record
  returning *
), change as (
  select 0 as place, 'space.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select space.id as id,
      (
        select to_jsonb(row)
        from (
          select space.id as "id", space.user_id as "userId", space.name as "name",
            space.color as "color", space.icon as "icon", space.is_default as "isDefault",
            space.sort_order as "sortOrder", iso(space.created_at) as "createdAt",
            iso(space.updated_at) as "updatedAt",
            space.schedule_preference_id as "schedulePreferenceId"
        ) row
      ) as json
    from space space
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, space_count, history_bytes)
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
    space_count = case
      when excluded.space_count <= 0
        or (user_state.space_count + excluded.space_count > ($4::jsonb ->> 'spaces')::bigint) is not true then user_state.space_count + excluded.space_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from space;

-- history.restore-task
with task as (
  insert into tasks (
    user_id, id, space_id, project_id, parent_task_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, actual_minutes, min_session_minutes,
    max_session_minutes, cooldown_minutes, auto_schedule, auto_split, schedule_preference_id,
    locked, sort_order, created_at, updated_at, archived_at
  )
  select $1, id, space_id, project_id, parent_task_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, actual_minutes, min_session_minutes,
    max_session_minutes, cooldown_minutes, auto_schedule, auto_split, schedule_preference_id,
    locked, sort_order, created_at, updated_at,
    case when status = 'archived' then current_timestamp end
  from jsonb_populate_record(null::tasks, $2) record
  returning *
), change as (
  select 0 as place, 'task.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
        ) row
      ) as json
    from task task
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, task_count, text_bytes, history_bytes
  )
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.stale_since)
        when user_state.automatic
          or user_state.recurrences_at is not null then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    task_count = case
      when excluded.task_count <= 0
        or (user_state.task_count + excluded.task_count > ($4::jsonb ->> 'tasks')::bigint) is not true then user_state.task_count + excluded.task_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from task;

-- history.restore-timeBlock
with block as (
  insert into time_blocks (
    user_id, id, task_id, title, type, start_at, end_at, locked, defended, source, sort_order,
    status, explanation, created_at, updated_at, cancel_reason, started_at, completed_at,
    cancelled_at, thread
  )
  select $1, id, task_id, title, type, start_at, end_at, locked, defended, source, sort_order,
    status, explanation, created_at, updated_at, cancel_reason, started_at, completed_at,
    case when status = 'cancelled' then current_timestamp end,
    md5(record.id || iso(record.updated_at))::uuid
  from jsonb_populate_record(null::time_blocks, $2) record
  returning *
), change as (
  select 0 as place, 'timeBlock.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select block.id as id,
      (
        select to_jsonb(row)
        from (
          select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
            coalesce(
              (
                select task.title
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ),
              block.title
            ) as "title",
            block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
            block.locked as "locked", block.defended as "defended", block.source as "source",
            block.sort_order as "sortOrder", block.status as "status",
            case when block.source = 'auto' then block.explanation end as "explanation",
            iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
            block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
            iso(block.completed_at) as "completedAt"
        ) row
      ) as json
    from block block
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.stale_since)
        when user_state.automatic
          or user_state.recurrences_at is not null then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    time_block_count = case
      when excluded.time_block_count <= 0
        or (
          user_state.time_block_count + excluded.time_block_count > ($4::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from block;
