-- By itself: a lock of this table is not held while another one is waited for.

-- Whether the user has such a calendar, so that each change wakes the worker.
alter table agendas add column publishes boolean not null default false;
