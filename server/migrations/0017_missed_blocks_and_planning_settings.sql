-- What becomes of a block (started, completed, missed, skipped), how the user wants to be planned, and default
-- windows for an account, a space or a project.

alter table time_blocks
  add column started_at    timestamptz(3),
  add column completed_at  timestamptz(3),
  add column cancel_reason text check (cancel_reason in ('missed', 'skipped')),
  -- When the user decided on a missed block, which is then no longer listed as missed.
  add column reviewed_at   timestamptz(3),
  add check (completed_at is null or status = 'completed'),
  add check (cancel_reason is null or status = 'cancelled');

-- Both have few rows of a user's many.
create index time_blocks_running on time_blocks (user_id) where status = 'in_progress';
create index time_blocks_missed on time_blocks (user_id, cancelled_at) where cancel_reason = 'missed';

-- A preference that is deleted is detached from these in the same statement.
alter table spaces
  add column schedule_preference_id uuid,
  add foreign key (user_id, schedule_preference_id) references schedule_preferences (user_id, id);

alter table projects
  add column schedule_preference_id uuid,
  add foreign key (user_id, schedule_preference_id) references schedule_preferences (user_id, id);

alter table agendas
  add column missed_blocks text not null default 'reschedule' check (missed_blocks in ('reschedule', 'assume-done')),
  -- The length to plan for a task without an estimate; null leaves such tasks out.
  add column assumed_minutes integer check (assumed_minutes between 5 and 480),
  add column schedule_preference_id uuid,
  -- The parts that the user has set; a missing one has its default, as has a null.
  add column planning jsonb not null default '{}' check (jsonb_typeof(planning) = 'object'),
  add foreign key (user_id, schedule_preference_id) references schedule_preferences (user_id, id);

create index spaces_by_preference on spaces (user_id, schedule_preference_id) where schedule_preference_id is not null;
create index projects_by_preference on projects (user_id, schedule_preference_id) where schedule_preference_id is not null;
