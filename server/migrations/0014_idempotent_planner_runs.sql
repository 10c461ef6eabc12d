-- The answer to a planner run names the run in its header: a repeated request must get that too.
alter table idempotency_keys add column planner_run_id uuid;
