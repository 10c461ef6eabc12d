-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- recurrences.begin
select user_state.last_event as "lastEvent", person.timezone
from users person
left join user_state on user_state.user_id = $1
where person.id = $1;

-- recurrences.delete
with gone as (
  update recurrences
  set deleted_at = $2
  where user_id = $1 and id = $3 and deleted_at is null
  returning *
), change as (
  select 0 as place, 'recurrence.deleted' as type, one.id, one.json as before, null::jsonb as after
  from (
    select recurrence.id as id,
      (
        select to_jsonb(row)
        from (
          select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
            recurrence.times as "times", recurrence.starts_on as "startsOn",
            recurrence.ends_on as "endsOn", recurrence.most as "most",
            to_char(recurrence.start_time, 'HH24:MI') as "startTime",
            to_char(recurrence.due_time, 'HH24:MI') as "dueTime",
            recurrence.lead_days as "leadDays", recurrence.missed as "missed",
            to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
            recurrence.checklist as "checklist", recurrence.task as "task",
            recurrence.words as "words", recurrence.follows as "follows",
            iso(recurrence.paused_at) as "pausedAt", iso(recurrence.created_at) as "createdAt",
            iso(recurrence.updated_at) as "updatedAt"
        ) row
      ) as json
    from gone recurrence
  ) one
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
select id
from gone;

-- recurrences.find
select (
  select to_json(row)
  from (
    select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
      recurrence.times as "times", recurrence.starts_on as "startsOn",
      recurrence.ends_on as "endsOn", recurrence.most as "most",
      to_char(recurrence.start_time, 'HH24:MI') as "startTime",
      to_char(recurrence.due_time, 'HH24:MI') as "dueTime", recurrence.lead_days as "leadDays",
      recurrence.missed as "missed",
      to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
      recurrence.checklist as "checklist", recurrence.task as "task", recurrence.words as "words",
      recurrence.follows as "follows", iso(recurrence.paused_at) as "pausedAt",
      iso(recurrence.created_at) as "createdAt", iso(recurrence.updated_at) as "updatedAt"
  ) row
)::text as json
from recurrences recurrence
where recurrence.user_id = $1 and recurrence.deleted_at is null and recurrence.id = $2;

-- recurrences.find-series
select recurrence.id, recurrence.kind, recurrence.rule, recurrence.times,
  recurrence.starts_on::text as "startsOn", recurrence.ends_on::text as "endsOn", recurrence.most,
  to_char(recurrence.start_time, 'HH24:MI') as "startTime",
  to_char(recurrence.due_time, 'HH24:MI') as "dueTime", recurrence.lead_days as "leadDays",
  recurrence.missed, to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
  recurrence.task, recurrence.checklist, recurrence.follows, recurrence.paused_at as "pausedAt",
  recurrence.settled_to::text as "settledTo", recurrence.occurrence_count as count, recurrence.zone
from recurrences recurrence
where recurrence.user_id = $1 and recurrence.deleted_at is null and recurrence.id = $2;

-- recurrences.find-task
select json_build_object(
  'title', task.title, 'description', task.description, 'priority', task.priority,
  'estimateMinutes', task.estimate_minutes, 'minSessionMinutes', task.min_session_minutes,
  'maxSessionMinutes', task.max_session_minutes, 'cooldownMinutes', task.cooldown_minutes,
  'autoSchedule', task.auto_schedule, 'autoSplit', task.auto_split, 'spaceId', task.space_id,
  'projectId', task.project_id, 'schedulePreferenceId', task.schedule_preference_id, 'labelIds',
  (
    select coalesce(json_agg(link.label_id order by link.label_id), '[]')
    from task_labels link
    where link.user_id = $1 and link.task_id = task.id
  )
) as task,
  task.due_at is null and task.status < 'completed' as "isUndated", task.start_after as "startAfter"
from tasks task
where task.user_id = $1 and task.id = $2
for key share;

-- recurrences.insert
with recurrence as (
  insert into recurrences (
    user_id, id, kind, rule, times, starts_on, ends_on, most, start_time, due_time, lead_days,
    missed, preferred_time, once_a_day, task, checklist, words, follows, settled_to, zone
  )
  select $1, $2, kind, rule, times, starts_on, ends_on, most, start_time, due_time, lead_days,
    missed, preferred_time, once_a_day, task, checklist, words, follows, settled_to, zone
  from jsonb_populate_record(null::recurrences, $3::jsonb)
  where (select count(*) from recurrences where user_id = $1 and deleted_at is null) < $4
  returning *
), change as (
  select 0 as place, 'recurrence.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select recurrence.id as id,
      (
        select to_jsonb(row)
        from (
          select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
            recurrence.times as "times", recurrence.starts_on as "startsOn",
            recurrence.ends_on as "endsOn", recurrence.most as "most",
            to_char(recurrence.start_time, 'HH24:MI') as "startTime",
            to_char(recurrence.due_time, 'HH24:MI') as "dueTime",
            recurrence.lead_days as "leadDays", recurrence.missed as "missed",
            to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
            recurrence.checklist as "checklist", recurrence.task as "task",
            recurrence.words as "words", recurrence.follows as "follows",
            iso(recurrence.paused_at) as "pausedAt", iso(recurrence.created_at) as "createdAt",
            iso(recurrence.updated_at) as "updatedAt"
        ) row
      ) as json
    from recurrence recurrence
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.due_at)
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
  'id', recurrence.id, 'kind', recurrence.kind, 'rule', recurrence.rule, 'times', recurrence.times,
  'startsOn', recurrence.starts_on, 'endsOn', recurrence.ends_on, 'most', recurrence.most,
  'startTime', to_char(recurrence.start_time, 'HH24:MI'), 'dueTime',
  to_char(recurrence.due_time, 'HH24:MI'), 'leadDays', recurrence.lead_days, 'missed',
  recurrence.missed, 'preferredTime', to_char(recurrence.preferred_time, 'HH24:MI'), 'checklist',
  recurrence.checklist, 'task', recurrence.task, 'words', recurrence.words, 'follows',
  recurrence.follows, 'pausedAt', iso(recurrence.paused_at), 'createdAt',
  iso(recurrence.created_at), 'updatedAt', iso(recurrence.updated_at)
)::text as json
from recurrence;

-- recurrences.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
      recurrence.times as "times", recurrence.starts_on as "startsOn",
      recurrence.ends_on as "endsOn", recurrence.most as "most",
      to_char(recurrence.start_time, 'HH24:MI') as "startTime",
      to_char(recurrence.due_time, 'HH24:MI') as "dueTime", recurrence.lead_days as "leadDays",
      recurrence.missed as "missed",
      to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
      recurrence.checklist as "checklist", recurrence.task as "task", recurrence.words as "words",
      recurrence.follows as "follows", iso(recurrence.paused_at) as "pausedAt",
      iso(recurrence.created_at) as "createdAt", iso(recurrence.updated_at) as "updatedAt"
    from recurrences recurrence
    where recurrence.user_id = $1 and recurrence.deleted_at is null
    order by recurrence.created_at, recurrence.id
  ) row
)::text as json;

-- recurrences.list-series
select recurrence.id, recurrence.kind, recurrence.rule, recurrence.times,
  recurrence.starts_on::text as "startsOn", recurrence.ends_on::text as "endsOn", recurrence.most,
  to_char(recurrence.start_time, 'HH24:MI') as "startTime",
  to_char(recurrence.due_time, 'HH24:MI') as "dueTime", recurrence.lead_days as "leadDays",
  recurrence.missed, to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
  recurrence.task, recurrence.checklist, recurrence.follows, recurrence.paused_at as "pausedAt",
  recurrence.settled_to::text as "settledTo", recurrence.occurrence_count as count, recurrence.zone
from recurrences recurrence
where recurrence.user_id = $1 and recurrence.deleted_at is null
order by recurrence.created_at, recurrence.id;

-- recurrences.lock-labels
select id from labels where user_id = $1 and id = any($2::uuid[]) order by id for key share;

-- recurrences.lock-preferences
select id
from schedule_preferences
where user_id = $1 and id = any($2::uuid[])
order by id
for key share;

-- recurrences.lock-projects
select id from projects where user_id = $1 and id = any($2::uuid[]) order by id for key share;

-- recurrences.lock-spaces
select id from spaces where user_id = $1 and id = any($2::uuid[]) order by id for key share;

-- recurrences.look-at
update user_state set recurrences_at = $2, recurrences_event = $3 where user_id = $1;

-- recurrences.restore
with recurrence as (
  update recurrences
  set deleted_at = null
  where user_id = $1 and id = $2 and deleted_at is not null
    and (select count(*) from recurrences where user_id = $1 and deleted_at is null) < $3
  returning *
), change as (
  select 0 as place, 'recurrence.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select recurrence.id as id,
      (
        select to_jsonb(row)
        from (
          select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
            recurrence.times as "times", recurrence.starts_on as "startsOn",
            recurrence.ends_on as "endsOn", recurrence.most as "most",
            to_char(recurrence.start_time, 'HH24:MI') as "startTime",
            to_char(recurrence.due_time, 'HH24:MI') as "dueTime",
            recurrence.lead_days as "leadDays", recurrence.missed as "missed",
            to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
            recurrence.checklist as "checklist", recurrence.task as "task",
            recurrence.words as "words", recurrence.follows as "follows",
            iso(recurrence.paused_at) as "pausedAt", iso(recurrence.created_at) as "createdAt",
            iso(recurrence.updated_at) as "updatedAt"
        ) row
      ) as json
    from recurrence recurrence
  ) one
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
      else least(user_state.due_at, excluded.due_at)
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
select id
from recurrence;

-- recurrences.settle
update recurrences recurrence
set settled_to = greatest(recurrence.settled_to, given."settledTo"), zone = given.zone,
  occurrence_count = recurrence.occurrence_count + given.added
from jsonb_to_recordset($2) as given (id uuid, "settledTo" date, zone text, added integer)
where recurrence.user_id = $1 and recurrence.id = given.id;

-- recurrences.trim-deleted
delete from recurrences where user_id = $1 and deleted_at < $2;

-- recurrences.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from recurrences old
  where user_id = $1 and id = $3 and deleted_at is null
  for no key update
), recurrence as (
  update recurrences recurrence
  set (
    rule, times, starts_on, ends_on, most, start_time, due_time, lead_days, missed, preferred_time,
    once_a_day, task, checklist, words, paused_at
  ) = (
    select rule, times, starts_on, ends_on, most, start_time, due_time, lead_days, missed,
      preferred_time, once_a_day, task, checklist, words, paused_at
    from jsonb_populate_record(recurrence, $2::jsonb)
  ),
    updated_at = greatest(current_timestamp, recurrence.updated_at + interval '1 millisecond')
  from old
  where recurrence.user_id = $1 and recurrence.id = old.id and old.differs
  returning recurrence.*, old.differs
), change as (
  select 0 as place, 'recurrence.updated' as type, new.id, old.json as before, new.json as after
  from (
    select recurrence.id as id,
      (
        select to_jsonb(row)
        from (
          select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
            recurrence.times as "times", recurrence.starts_on as "startsOn",
            recurrence.ends_on as "endsOn", recurrence.most as "most",
            to_char(recurrence.start_time, 'HH24:MI') as "startTime",
            to_char(recurrence.due_time, 'HH24:MI') as "dueTime",
            recurrence.lead_days as "leadDays", recurrence.missed as "missed",
            to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
            recurrence.checklist as "checklist", recurrence.task as "task",
            recurrence.words as "words", recurrence.follows as "follows",
            iso(recurrence.paused_at) as "pausedAt", iso(recurrence.created_at) as "createdAt",
            iso(recurrence.updated_at) as "updatedAt"
        ) row
      ) as json
    from old recurrence
  ) old
  join (
    select recurrence.id as id,
      (
        select to_jsonb(row)
        from (
          select recurrence.id as "id", recurrence.kind as "kind", recurrence.rule as "rule",
            recurrence.times as "times", recurrence.starts_on as "startsOn",
            recurrence.ends_on as "endsOn", recurrence.most as "most",
            to_char(recurrence.start_time, 'HH24:MI') as "startTime",
            to_char(recurrence.due_time, 'HH24:MI') as "dueTime",
            recurrence.lead_days as "leadDays", recurrence.missed as "missed",
            to_char(recurrence.preferred_time, 'HH24:MI') as "preferredTime",
            recurrence.checklist as "checklist", recurrence.task as "task",
            recurrence.words as "words", recurrence.follows as "follows",
            iso(recurrence.paused_at) as "pausedAt", iso(recurrence.created_at) as "createdAt",
            iso(recurrence.updated_at) as "updatedAt"
        ) row
      ) as json
    from recurrence recurrence
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
      else least(user_state.due_at, excluded.stale_since)
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
  'id', recurrence.id, 'kind', recurrence.kind, 'rule', recurrence.rule, 'times', recurrence.times,
  'startsOn', recurrence.starts_on, 'endsOn', recurrence.ends_on, 'most', recurrence.most,
  'startTime', to_char(recurrence.start_time, 'HH24:MI'), 'dueTime',
  to_char(recurrence.due_time, 'HH24:MI'), 'leadDays', recurrence.lead_days, 'missed',
  recurrence.missed, 'preferredTime', to_char(recurrence.preferred_time, 'HH24:MI'), 'checklist',
  recurrence.checklist, 'task', recurrence.task, 'words', recurrence.words, 'follows',
  recurrence.follows, 'pausedAt', iso(recurrence.paused_at), 'createdAt',
  iso(recurrence.created_at), 'updatedAt', iso(recurrence.updated_at)
)::text as json
from (
  select * from recurrence union all select * from old where not exists (select from recurrence)
) recurrence;

-- recurrences.watch
update user_state set recurrences_at = coalesce(recurrences_at, $2) where user_id = $1;
