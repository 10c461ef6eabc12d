-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- planner-runs.apply
with run as (
  update planner_runs
  set state = 'applied', created_at = $2, last_event = $3
  where user_id = $1 and id = $4
  returning *
), change as (
  select 0 as place, 'plannerRun.applied' as type, one.id, null::jsonb as before, one.json as after
  from (
    select run.id as id,
      (
        select to_jsonb(row)
        from (
          select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
            run.summary -> 'result' as "result", $5::uuid[] as "createdBlockIds",
            $6::uuid[] as "cancelledBlockIds"
        ) row
      ) as json
    from run run
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = case when user_state.last_event <> $3::bigint then user_state.stale_since end,
    due_at = case
      when user_state.history_bytes > ($8::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.due_at)
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $7::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from run;

-- planner-runs.find
select (
  select to_json(row)
  from (
    select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
      run.version as "version", encode(run.input_hash, 'hex') as "inputHash",
      run.summary -> 'cost' as "cost", run.summary -> 'bound' as "bound",
      run.summary -> 'gap' as "gap", run.summary -> 'result' as "result"
  ) row
)::text as json,
  run.detail
from planner_runs run
where run.user_id = $1 and run.id = $2;

-- planner-runs.find-to-apply
select state, planned_at, from_scratch, encode(input_hash, 'hex') as input_hash, plan,
  summary -> 'result' as result
from planner_runs
where user_id = $1 and id = $2;

-- planner-runs.find-to-undo
select run.state,
  not exists (
    select
    from planner_runs later
    where later.user_id = $1 and later.state = 'applied'
      and (later.created_at, later.id) > (run.created_at, run.id)
  ) as is_last
from planner_runs run
where run.user_id = $1 and run.id = $2;

-- planner-runs.insert
with run as (
  insert into planner_runs (
    user_id, id, state, planned_at, input_hash, input, plan, detail, version, summary, last_event,
    from_scratch
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  returning *
), change as (
  select 0 as place, 'plannerRun.applied' as type, one.id, null::jsonb as before, one.json as after
  from (
    select run.id as id,
      (
        select to_jsonb(row)
        from (
          select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
            run.summary -> 'result' as "result", $13::uuid[] as "createdBlockIds",
            $14::uuid[] as "cancelledBlockIds"
        ) row
      ) as json
    from (select * from run where state = 'applied') run
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = case when user_state.last_event <> $11::bigint then user_state.stale_since end,
    due_at = case
      when user_state.history_bytes > ($16::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.due_at)
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $15::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from run;

-- planner-runs.list
select json_build_object(
  'runs',
  (
    select coalesce(json_agg(row), '[]')
    from (
      select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
        run.version as "version", encode(run.input_hash, 'hex') as "inputHash",
        run.summary -> 'cost' as "cost", run.summary -> 'bound' as "bound",
        run.summary -> 'gap' as "gap", run.summary -> 'result' as "result"
      from planner_runs run
      where run.user_id = $1
      order by run.created_at desc, run.id desc
      limit 50
    ) row
  )
)::text as json;

-- planner-runs.trim
with aged as (
  select id, row_number() over (order by created_at desc, id desc) as age
  from planner_runs
  where user_id = $1
), lightened as (
  update planner_runs
  set input = null, plan = null
  where user_id = $1 and input is not null
    and id in (select id from aged where age > 4 and age < 100)
)
delete from planner_runs
where user_id = $1 and id in (select id from aged where age >= 100);

-- planner-runs.undo
with old as (select * from planner_runs where user_id = $1 and id = $2),
  run as (update planner_runs set state = 'undone' where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'plannerRun.undone' as type, new.id, old.json as before, new.json as after
    from (
      select run.id as id,
        (
          select to_jsonb(row)
          from (
            select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
              run.summary -> 'result' as "result"
          ) row
        ) as json
      from old run
    ) old
    join (
      select run.id as id,
        (
          select to_jsonb(row)
          from (
            select run.id as "id", run.state as "state", iso(run.planned_at) as "plannedAt",
              run.summary -> 'result' as "result", $3::uuid[] as "restoredBlockIds",
              $4::uuid[] as "cancelledBlockIds"
          ) row
        ) as json
      from run run
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
        when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else least(user_state.due_at, excluded.due_at)
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
select id
from run;
