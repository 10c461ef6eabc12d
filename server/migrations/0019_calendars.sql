-- Calendars of other services that a user subscribes to by address, and their events: one row for each
-- occurrence, 31 days back and 184 ahead.

create table calendars (
  user_id          uuid not null,
  id               uuid not null,
  name             text not null check (char_length(name) between 1 and 200),
  color            text not null,
  -- The address is a secret, so it is encrypted; users see only its host.
  sealed_url       text not null,
  host             text not null,
  -- Which of its events the planner plans around.
  blocks           boolean not null,
  all_day          text not null check (all_day in ('marked', 'always', 'never')),
  tentative_blocks boolean not null,
  padding_minutes  integer not null check (padding_minutes between 0 and 60),
  -- Of the last file that was read: what a conditional request sends, and a hash without the times of its export.
  etag             text,
  last_modified    text,
  file_hash        bytea,
  -- The local day and the zone in which it was read. On another day, or in another zone, it is read again.
  read_on          date,
  read_in_zone     text,
  complete_until   timestamptz(3),
  event_count      integer not null default 0,
  skipped          jsonb not null default '[]',
  skipped_count    integer not null default 0,
  fetched_at       timestamptz(3),
  changed_at       timestamptz(3),
  -- Null if it is not fetched any more.
  next_fetch_at    timestamptz(3),
  failures         integer not null default 0,
  error            text,
  -- Since when the file has no events, where there were several: believed at the second reading.
  empty_since      timestamptz(3),
  created_at       timestamptz(3) not null default current_timestamp,
  updated_at       timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

create table calendar_events (
  user_id     uuid not null,
  -- Derived from the calendar and the identity of the occurrence, so it stays the same between readings.
  id          uuid not null,
  calendar_id uuid not null,
  start_at    timestamptz(3) not null,
  end_at      timestamptz(3) not null,
  all_day     boolean not null,
  busy        boolean not null,
  tentative   boolean not null,
  title       text not null,
  location    text,
  primary key (user_id, id),
  foreign key (user_id, calendar_id) references calendars (user_id, id) on delete cascade
);

create index calendar_events_by_time on calendar_events (user_id, end_at, start_at);
create index calendar_events_by_calendar on calendar_events (user_id, calendar_id);
