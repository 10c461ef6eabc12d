-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- projects.archive
with old as (select * from projects where user_id = $1 and id = $2 for no key update),
  project as (
    update projects project
    set archived = true,
      updated_at = greatest(current_timestamp, project.updated_at + interval '1 millisecond')
    from old
    where project.user_id = $1 and project.id = old.id and not old.archived
    returning project.*
  ), change as (
    select 0 as place, 'project.updated' as type, new.id, old.json as before, new.json as after
    from (
      select project.id as id,
        (
          select to_jsonb(row)
          from (
            select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
              project.name as "name", project.description as "description",
              project.color as "color", project.icon as "icon", project.status as "status",
              project.priority as "priority", iso(project.target_date) as "targetDate",
              project.archived as "archived", project.sort_order as "sortOrder",
              iso(project.created_at) as "createdAt", iso(project.updated_at) as "updatedAt",
              project.auto_schedule as "autoSchedule",
              project.schedule_preference_id as "schedulePreferenceId"
          ) row
        ) as json
      from old project
    ) old
    join (
      select project.id as id,
        (
          select to_jsonb(row)
          from (
            select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
              project.name as "name", project.description as "description",
              project.color as "color", project.icon as "icon", project.status as "status",
              project.priority as "priority", iso(project.target_date) as "targetDate",
              project.archived as "archived", project.sort_order as "sortOrder",
              iso(project.created_at) as "createdAt", iso(project.updated_at) as "updatedAt",
              project.auto_schedule as "autoSchedule",
              project.schedule_preference_id as "schedulePreferenceId"
          ) row
        ) as json
      from project project
    ) new using (id)
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
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
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
from old;

-- projects.delete
with old as (select id from projects where user_id = $1 and id = $2 for update),
  old_documents as (
    select old as was, id
    from documents old
    where user_id = $1 and project_id in (select id from old)
    order by id
    for no key update
  ), detached_documents as (
    update documents document
    set project_id = null,
      updated_at = greatest(current_timestamp, document.updated_at + interval '1 millisecond')
    from old_documents old
    where document.user_id = $1 and document.id = old.id
    returning document.*, old.was
  ), old_tasks as (
    select old as was, id
    from tasks old
    where user_id = $1 and project_id in (select id from old)
    order by id
    for no key update
  ), detached_tasks as (
    update tasks task
    set project_id = null,
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old_tasks old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), gone as (delete from projects where user_id = $1 and id in (select id from old) returning *), change as (
    select 0 as place, 'project.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select project.id as id,
        (
          select to_jsonb(row)
          from (
            select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
              project.name as "name", project.description as "description",
              project.color as "color", project.icon as "icon", project.status as "status",
              project.priority as "priority", iso(project.target_date) as "targetDate",
              project.archived as "archived", project.sort_order as "sortOrder",
              iso(project.created_at) as "createdAt", iso(project.updated_at) as "updatedAt",
              project.auto_schedule as "autoSchedule",
              project.schedule_preference_id as "schedulePreferenceId"
          ) row
        ) as json
      from gone project
    ) one
    union all
    select 1 as place, 'document.updated' as type, document.id as id,
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
          from (select (document.was).*) document
        ) row
      ) as before,
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
      ) as after
    from detached_documents document
    union all
    select 2 as place, 'task.updated' as type, task.id as id,
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
          from (select (task.was).*) task
        ) row
      ) as before,
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
      ) as after
    from detached_tasks task
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, project_count, text_bytes, history_bytes
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
        ) filter (where change.place = 2),
        0
      ) + coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
        0
      ) + coalesce(
        sum(
          coalesce((change.after -> 'content' ->> 'length')::bigint, 0) - coalesce(
            (change.before -> 'content' ->> 'length')::bigint, 0
          )
        ) filter (where change.place = 1),
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
      project_count = case
        when excluded.project_count <= 0
          or (
            user_state.project_count + excluded.project_count > ($4::jsonb ->> 'projects')::bigint
          ) is not true then user_state.project_count + excluded.project_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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

-- projects.find
select (
  select to_json(row)
  from (
    select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
      project.name as "name", project.description as "description", project.color as "color",
      project.icon as "icon", project.status as "status", project.priority as "priority",
      iso(project.target_date) as "targetDate", project.archived as "archived",
      project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
      iso(project.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color",
            space.icon as "icon"
          from spaces space
          where space.user_id = $1 and space.id = project.space_id
        ) row
      ) as "space",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select task.id as "id", task.title as "title", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            task.estimate_minutes as "estimateMinutes",
            (
              select coalesce(json_agg(row), '[]')
              from (
                select label.id as "id", label.name as "name", label.color as "color"
                from task_labels link
                join labels label on label.user_id = $1 and label.id = link.label_id
                where link.user_id = $1 and link.task_id = task.id
                order by label.name
              ) row
            ) as "labels"
          from tasks task
          where task.user_id = $1 and task.project_id = $2 and task.status < 'completed'
          order by task.priority desc, task.due_at, task.sort_order, task.id
          limit 50
        ) row
      ) as "tasks",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select document.id as "id", document.title as "title", document.doc_type as "docType",
            document.url as "url", iso(document.created_at) as "createdAt"
          from documents document
          where document.user_id = $1 and document.project_id = $2
          order by document.sort_order, document.id
        ) row
      ) as "documents"
  ) row
)::text as json
from projects project
where project.user_id = $1 and project.id = $2;

-- projects.insert
with given as (
  select $2::text as name, coalesce($3, '') as description, coalesce($4, '#6B7280') as color,
    coalesce($5, 'folder') as icon, $6::uuid as space_id, $7::integer as priority,
    $8::timestamptz as target_date, coalesce($9, true) as auto_schedule
), checked as (
  select case
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
  end as missing
  from given
), project as (
  insert into projects (
    user_id, id, name, description, color, icon, space_id, priority, target_date, auto_schedule
  )
  select $1, $10, name, description, color, icon, space_id, priority, target_date, auto_schedule
  from given, checked
  where missing is null
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
      when user_state.history_bytes > ($12::jsonb ->> 'historyBytes')::bigint then least(
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
        or (user_state.project_count + excluded.project_count > ($12::jsonb ->> 'projects')::bigint) is not true then user_state.project_count + excluded.project_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($12::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $11::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select missing,
  case
    when project.id is not null then (
      select to_json(row)
      from (
        select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
          project.name as "name", project.description as "description", project.color as "color",
          project.icon as "icon", project.status as "status", project.priority as "priority",
          iso(project.target_date) as "targetDate", project.archived as "archived",
          project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
          iso(project.updated_at) as "updatedAt"
      ) row
    )::text
  end as json
from checked
left join project on true;

-- projects.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
      project.name as "name", project.description as "description", project.color as "color",
      project.icon as "icon", project.status as "status", project.priority as "priority",
      iso(project.target_date) as "targetDate", project.archived as "archived",
      project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
      iso(project.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color",
            space.icon as "icon"
          from spaces space
          where space.user_id = $1 and space.id = project.space_id
        ) row
      ) as "space",
      json_build_object(
        'tasks',
        (select count(*) from tasks where tasks.user_id = $1 and tasks.project_id = project.id),
        'documents',
        (
          select count(*)
          from documents
          where documents.user_id = $1 and documents.project_id = project.id
        )
      ) as "_count"
    from projects project
    where project.user_id = $1 and not project.archived
    order by project.sort_order, project.id
  ) row
)::text as json;

-- projects.list-in-space
select (
  select coalesce(json_agg(row), '[]')
  from (
    select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
      project.name as "name", project.description as "description", project.color as "color",
      project.icon as "icon", project.status as "status", project.priority as "priority",
      iso(project.target_date) as "targetDate", project.archived as "archived",
      project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
      iso(project.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color",
            space.icon as "icon"
          from spaces space
          where space.user_id = $1 and space.id = project.space_id
        ) row
      ) as "space",
      json_build_object(
        'tasks',
        (select count(*) from tasks where tasks.user_id = $1 and tasks.project_id = project.id),
        'documents',
        (
          select count(*)
          from documents
          where documents.user_id = $1 and documents.project_id = project.id
        )
      ) as "_count"
    from projects project
    where project.user_id = $1 and not project.archived and project.space_id = $2
    order by project.sort_order, project.id
  ) row
)::text as json;

-- projects.update
with given as (
  select space_id, schedule_preference_id from jsonb_populate_record(null::projects, $2)
), checked as (
  select case
    when given.schedule_preference_id is not null
      and not exists (
        select
        from schedule_preferences
        where schedule_preferences.user_id = $1
          and schedule_preferences.id = given.schedule_preference_id
        for key share
      ) then 'schedulePreferenceId'
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
  end as missing
  from given
), old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from projects old, checked
  where old.user_id = $1 and old.id = $3 and missing is null
  for no key update of old
), project as (
  update projects project
  set (
    name, description, color, icon, space_id, status, priority, target_date, archived,
    auto_schedule, sort_order, schedule_preference_id
  ) = (
    select name, description, color, icon, space_id, status, priority, target_date, archived,
      auto_schedule, sort_order, schedule_preference_id
    from jsonb_populate_record(project, $2)
  ),
    updated_at = greatest(current_timestamp, project.updated_at + interval '1 millisecond')
  from old
  where project.user_id = $1 and project.id = old.id and old.differs
  returning project.*, old.differs
), change as (
  select 0 as place, 'project.updated' as type, new.id, old.json as before, new.json as after
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
    from old project
  ) old
  join (
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
  ) new using (id)
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
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
      when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
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
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing,
  case
    when project.id is not null then (
      select to_json(row)
      from (
        select project.id as "id", project.user_id as "userId", project.space_id as "spaceId",
          project.name as "name", project.description as "description", project.color as "color",
          project.icon as "icon", project.status as "status", project.priority as "priority",
          iso(project.target_date) as "targetDate", project.archived as "archived",
          project.sort_order as "sortOrder", iso(project.created_at) as "createdAt",
          iso(project.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = project.space_id
            ) row
          ) as "space"
      ) row
    )::text
  end as json
from checked, projects known
left join (select * from project union all select * from old where not exists (select from project)) project on true
where known.user_id = $1 and known.id = $3;
