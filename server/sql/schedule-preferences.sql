-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- schedule-preferences.delete
with leaving as (select id from schedule_preferences where user_id = $1 and id = $2 for update),
  old_spaces as (
    select old as was, id
    from spaces old
    where user_id = $1 and schedule_preference_id in (select id from leaving)
    order by id
    for no key update
  ), detached_spaces as (
    update spaces space
    set schedule_preference_id = null,
      updated_at = greatest(current_timestamp, space.updated_at + interval '1 millisecond')
    from old_spaces old
    where space.user_id = $1 and space.id = old.id
    returning space.*, old.was
  ), old_projects as (
    select old as was, id
    from projects old
    where user_id = $1 and schedule_preference_id in (select id from leaving)
    order by id
    for no key update
  ), detached_projects as (
    update projects project
    set schedule_preference_id = null,
      updated_at = greatest(current_timestamp, project.updated_at + interval '1 millisecond')
    from old_projects old
    where project.user_id = $1 and project.id = old.id
    returning project.*, old.was
  ), old_tasks as (
    select old as was, id
    from tasks old
    where user_id = $1 and schedule_preference_id in (select id from leaving)
    order by id
    for no key update
  ), detached_tasks as (
    update tasks task
    set schedule_preference_id = null,
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old_tasks old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), gone as (
    delete from schedule_preferences
    where user_id = $1 and id in (select id from leaving)
    returning *
  ), old as (
    select old.*
    from user_settings old
    where user_id = $1 and schedule_preference_id in (select id from leaving)
    for no key update
  ), old_settings as (
    select old.*, user_state.automatic
    from old, user_state
    where user_state.user_id = $1
    for no key update of user_state
  ), detached_settings as (
    update user_settings settings
    set schedule_preference_id = null
    from old_settings old
    where settings.user_id = $1
    returning settings.*, old.automatic
  ), change as (
    select 0 as place, 'schedulePreference.deleted' as type, one.id, one.json as before,
      null::jsonb as after
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
      from gone preference
    ) one
    union all
    select 1 as place, 'space.updated' as type, space.id as id,
      (
        select to_jsonb(row)
        from (
          select space.id as "id", space.user_id as "userId", space.name as "name",
            space.color as "color", space.icon as "icon", space.is_default as "isDefault",
            space.sort_order as "sortOrder", iso(space.created_at) as "createdAt",
            iso(space.updated_at) as "updatedAt",
            space.schedule_preference_id as "schedulePreferenceId"
          from (select (space.was).*) space
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select space.id as "id", space.user_id as "userId", space.name as "name",
            space.color as "color", space.icon as "icon", space.is_default as "isDefault",
            space.sort_order as "sortOrder", iso(space.created_at) as "createdAt",
            iso(space.updated_at) as "updatedAt",
            space.schedule_preference_id as "schedulePreferenceId"
        ) row
      ) as after
    from detached_spaces space
    union all
    select 2 as place, 'project.updated' as type, project.id as id,
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
          from (select (project.was).*) project
        ) row
      ) as before,
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
      ) as after
    from detached_projects project
    union all
    select 3 as place, 'task.updated' as type, task.id as id,
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
    union all
    select 4 as place, 'settings.updated' as type, new.id, old.json as before, new.json as after
    from (
      select settings.user_id as id,
        (
          select to_jsonb(row)
          from (
            select settings.automatic as "automatic",
              case
                when settings.quiet_from is not null then json_build_object(
                  'from', to_char(settings.quiet_from, 'HH24:MI'), 'to',
                  to_char(settings.quiet_to, 'HH24:MI')
                )
              end as "quietHours",
              to_char(settings.daily_run_at, 'HH24:MI') as "dailyRunAt",
              to_char(settings.summary_at, 'HH24:MI') as "morningSummaryAt",
              settings.deadline_alerts as "deadlineAlerts",
              settings.missed_blocks as "missedBlocks",
              settings.assumed_minutes as "assumedMinutes",
              settings.schedule_preference_id as "schedulePreferenceId",
              '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || settings.planning as "planning"
          ) row
        ) as json
      from old_settings settings
    ) old
    join (
      select settings.user_id as id,
        (
          select to_jsonb(row)
          from (
            select settings.automatic as "automatic",
              case
                when settings.quiet_from is not null then json_build_object(
                  'from', to_char(settings.quiet_from, 'HH24:MI'), 'to',
                  to_char(settings.quiet_to, 'HH24:MI')
                )
              end as "quietHours",
              to_char(settings.daily_run_at, 'HH24:MI') as "dailyRunAt",
              to_char(settings.summary_at, 'HH24:MI') as "morningSummaryAt",
              settings.deadline_alerts as "deadlineAlerts",
              settings.missed_blocks as "missedBlocks",
              settings.assumed_minutes as "assumedMinutes",
              settings.schedule_preference_id as "schedulePreferenceId",
              '{"lunch":null,"breaks":null,"dailyLimitMinutes":null,"keepFreePercent":0,"bufferMinutes":0,"focusHours":null,"deepWorkUntil":null}'::jsonb || settings.planning as "planning"
          ) row
        ) as json
      from detached_settings settings
    ) new using (id)
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, schedule_preference_count, text_bytes, history_bytes
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
        ) filter (where change.place = 3),
        0
      ) + coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 2),
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
      schedule_preference_count = case
        when excluded.schedule_preference_count <= 0
          or (
            user_state.schedule_preference_count + excluded.schedule_preference_count > (
              $4::jsonb ->> 'schedulePreferences'
            )::bigint
          ) is not true then user_state.schedule_preference_count + excluded.schedule_preference_count
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

-- schedule-preferences.insert
with preference as (
  insert into schedule_preferences (user_id, id, name, windows, priority)
  values ($1, $2, $3, $4, $5)
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
      when user_state.history_bytes > ($7::jsonb ->> 'historyBytes')::bigint then least(
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
            $7::jsonb ->> 'schedulePreferences'
          )::bigint
        ) is not true then user_state.schedule_preference_count + excluded.schedule_preference_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $6::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', preference.id, 'userId', preference.user_id, 'name', preference.name, 'windows',
  preference.windows, 'priority', preference.priority, 'createdAt', iso(preference.created_at),
  'updatedAt', iso(preference.updated_at)
)::text as json
from preference;

-- schedule-preferences.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select preference.id as "id", preference.user_id as "userId", preference.name as "name",
      preference.windows as "windows", preference.priority as "priority",
      iso(preference.created_at) as "createdAt", iso(preference.updated_at) as "updatedAt"
    from schedule_preferences preference
    where preference.user_id = $1
    order by preference.priority desc, preference.id
  ) row
)::text as json;

-- schedule-preferences.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from schedule_preferences old
  where user_id = $1 and id = $3
  for no key update
), preference as (
  update schedule_preferences preference
  set (name, windows, priority) = (
    select name, windows, priority from jsonb_populate_record(preference, $2)
  ),
    updated_at = greatest(current_timestamp, preference.updated_at + interval '1 millisecond')
  from old
  where preference.user_id = $1 and preference.id = old.id and old.differs
  returning preference.*, old.differs
), change as (
  select 0 as place, 'schedulePreference.updated' as type, new.id, old.json as before,
    new.json as after
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
    from old preference
  ) old
  join (
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
  ) new using (id)
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
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
  'id', preference.id, 'userId', preference.user_id, 'name', preference.name, 'windows',
  preference.windows, 'priority', preference.priority, 'createdAt', iso(preference.created_at),
  'updatedAt', iso(preference.updated_at)
)::text as json
from (
  select * from preference union all select * from old where not exists (select from preference)
) preference;
