-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- worker.find-user-state
select person.timezone, person.disabled_at is not null
  or person.jobs_stopped_at is not null as "isStopped", user_state.automatic,
  to_char(settings.quiet_from, 'HH24:MI') as "quietFrom",
  to_char(settings.quiet_to, 'HH24:MI') as "quietTo",
  coalesce(to_char(settings.daily_run_at, 'HH24:MI'), '05:00') as "dailyRunAt",
  to_char(settings.summary_at, 'HH24:MI') as "summaryAt", user_state.stale_since as "staleSince",
  user_state.last_event as "lastEvent", user_state.due_at as "dueAt",
  (
    select event.at
    from events event
    where event.user_id = $1 and event.seq = user_state.last_event
    order by event.part
    limit 1
  ) as "changedAt",
  case
    when user_state.automatic
      and coalesce(settings.missed_blocks, 'reschedule') = 'reschedule' then (
        select min(block.end_at)
        from time_blocks block
        join tasks task on task.user_id = $1 and task.id = block.task_id
        left join projects project on project.user_id = $1 and project.id = task.project_id
        where block.user_id = $1 and block.start_at > $2::timestamptz - interval '2 days'
          and block.start_at < $2::timestamptz + interval '1 day' and block.source = 'auto'
          and block.type = 'task' and block.status = 'scheduled' and not block.locked
          and block.started_at is null and task.status < 'completed' and task.auto_schedule
          and coalesce(project.auto_schedule, true)
      )
  end as "nextEndAt",
  (
    select min(
      case
        when failures = 0 and next_fetch_at > $2::timestamptz + interval '1 hour' then $2
        else next_fetch_at
      end
    )
    from calendars
    where user_id = $1
  ) as "fetchAt",
  case
    when user_state.publishes then (
      select min(
        (
          select greatest(due.at, calendar.leased_until)
          from (
            select least(
              calendar.next_sync_at,
              case
                when calendar.published_event < user_state.last_event
                  and calendar.failures = 0 then coalesce(
                    (
                      select event.at
                      from events event
                      where event.user_id = $1 and event.seq > calendar.published_event
                      order by event.seq, event.part
                      limit 1
                    ),
                    $2
                  ) + interval '10 seconds'
              end
            ) as at
          ) due
          where due.at is not null
        )
      )
      from plan_calendars calendar
      where calendar.user_id = $1
    )
  end as "publishAt",
  user_state.has_webhooks as "hasWebhooks",
  coalesce(settings.deadline_alerts, false) as "deadlineAlerts",
  user_state.recurrences_at as "recurrencesAt", user_state.recurrences_event as "recurrencesEvent",
  user_state.planned_on::text as "plannedOn", user_state.summarized_on::text as "summarizedOn",
  user_state.trimmed_on::text as "trimmedOn",
  coalesce(user_state.history_bytes > ($3::jsonb ->> 'historyBytes')::bigint, false) as "isHistoryFull"
from user_state
join users person on person.id = $1
left join user_settings settings on settings.user_id = $1
where user_state.user_id = $1;

-- worker.lease-due-users
update user_state
set due_at = $1
where user_id = any(
  array(
    select user_id
    from user_state
    where due_at > $2 and due_at <= $3
    order by due_at
    limit $4
    for update skip locked
  )
)
returning user_id;

-- worker.planned_on
update user_state set planned_on = $2 where user_id = $1;

-- worker.settle
update user_state
set due_at = $2
where user_id = $1 and last_event = $3 and due_at is not distinct from $4
returning user_id;

-- worker.summarized_on
update user_state set summarized_on = $2 where user_id = $1;

-- worker.trim-deliveries
delete from webhook_deliveries where user_id = $1 and at < $2;

-- worker.trim-events
delete from events
where user_id = $1
  and seq < coalesce(
    (select seq from events where user_id = $1 and at >= $2 order by seq, part limit 1),
    9223372036854775807
  );

-- worker.trim-notifications
delete from notifications
where user_id = $1 and read and created_at < $2
  and (created_at, id) < (
    select created_at, id
    from notifications
    where user_id = $1
    order by created_at desc, id desc
    offset 49
    limit 1
  );

-- worker.trim-overfull-history
with kept as (
  select last_event, sum(octet_length(content)) as bytes
  from texts
  where user_id = $1
  group by last_event
), sized as (
  select event.seq,
    sum(event.bytes + coalesce(kept.bytes, 0)) over (
      order by event.seq desc, event.part desc rows unbounded preceding
    ) as with_newer
  from events event
  left join kept on kept.last_event = event.seq
  where event.user_id = $1
)
delete from events
where user_id = $1 and seq <= (select max(seq) from sized where with_newer > $2::bigint);

-- worker.trim-runs
delete from planner_runs where user_id = $1 and created_at < $2;

-- worker.trim-texts
delete from texts
where user_id = $1
  and last_event < coalesce((select min(seq) from events where user_id = $1), 9223372036854775807);

-- worker.trimmed_on
update user_state set trimmed_on = $2 where user_id = $1;
