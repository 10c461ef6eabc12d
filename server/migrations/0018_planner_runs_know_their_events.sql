-- What the next run has to know of the last one.
alter table planner_runs
  -- The last event that the plan includes; null for runs that did not record it.
  add column last_event   bigint,
  -- Planned without regard to the plan before.
  add column from_scratch boolean not null default false;
