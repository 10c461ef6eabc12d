-- What the planner did, and what it would do: a record for every run, kept with its plan and, for the
-- last few, with the problem it solved, so that each can be looked into, applied, undone and replayed.

create table planner_runs (
  user_id    uuid not null,
  id         uuid not null,
  state      text not null check (state in ('preview', 'applied', 'undone')),
  -- The moment it planned from.
  planned_at timestamptz(3) not null,
  -- SHA-256 of the problem; the problem and the plan, compressed, only the last few runs keep.
  input_hash bytea not null,
  input      bytea,
  plan       bytea,
  -- What it does to the calendar and why, compressed, as the API shows it.
  detail     bytea not null,
  version    text not null,
  summary    jsonb not null,
  created_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

create index planner_runs_newest on planner_runs (user_id, created_at desc, id desc);

-- The run that made a block, and the run that took it away: what an undo has to turn round.
alter table time_blocks add column made_by_run uuid;
alter table time_blocks add column cancelled_by_run uuid;

create index time_blocks_by_cancelling_run on time_blocks (user_id, cancelled_by_run)
 where cancelled_by_run is not null;
