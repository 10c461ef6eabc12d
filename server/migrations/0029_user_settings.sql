-- What the user has set. Each change of a user locks and rewrites the row in `agendas`, so settings are not kept there.
-- All processes of the previous version must be stopped, because this drops columns that they use.

-- First, so that no lock is held while this one is waited for.
lock table agendas;

create table user_settings (
  user_id                uuid not null,
  -- Local times; a span over midnight where it ends before it begins.
  quiet_from             time,
  quiet_to               time,
  daily_run_at           time not null default '05:00',
  summary_at             time,
  -- Whether an automatic run is followed by an alert for deadlines at risk.
  deadline_alerts        boolean not null default false,
  missed_blocks          text not null default 'reschedule' check (missed_blocks in ('reschedule', 'assume-done')),
  -- The length to plan for a task without an estimate; null leaves such tasks out.
  assumed_minutes        integer check (assumed_minutes between 5 and 480),
  schedule_preference_id uuid,
  -- The parts that the user has set; a missing one has its default, as has a null.
  planning               jsonb not null default '{}' check (jsonb_typeof(planning) = 'object'),
  primary key (user_id),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, schedule_preference_id) references schedule_preferences (user_id, id),
  check ((quiet_from is null) = (quiet_to is null))
);

insert into user_settings (user_id, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
                           assumed_minutes, schedule_preference_id, planning)
select user_id, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
       assumed_minutes, schedule_preference_id, planning
  from agendas;

-- `automatic` stays: like `has_webhooks`, it is a flag that each change reads to decide when the user is due.
alter table agendas
  drop column quiet_from,
  drop column quiet_to,
  drop column daily_run_at,
  drop column summary_at,
  drop column deadline_alerts,
  drop column missed_blocks,
  drop column assumed_minutes,
  drop column schedule_preference_id,
  drop column planning;
