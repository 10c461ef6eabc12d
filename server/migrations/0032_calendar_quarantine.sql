-- A calendar whose reading ended the service or a reader is not read again at once.

alter table calendars
  -- When it was last attempted to read it.
  add column attempted_at timestamptz(3),
  -- The process and the attempt that read it now; still there if the process has died meanwhile.
  add column read_by text,
  -- How often in a row it was too expensive to read, or its reading has ended the service.
  add column crashes integer not null default 0;

-- Admins see them, across all users.
create index calendars_in_quarantine on calendars (user_id, id) where crashes > 0;

-- An admin has stopped the user's background jobs.
alter table users add column jobs_stopped_at timestamptz(3);
