-- Calendars at CalDAV servers that are kept up to date with the plan.

create table plan_calendars (
  user_id         uuid not null,
  id              uuid not null,
  name            text not null check (char_length(name) between 1 and 200),
  -- The address with the user name and the password.
  sealed_url      text not null,
  host            text not null,
  username        text not null,
  detail          text not null check (detail in ('full', 'titles', 'busy')),
  -- Whether a block is moved when its event is moved there.
  two_way         boolean not null,
  -- Its events are being deleted there, then it is.
  removing        boolean not null default false,
  -- The last event of the user that the calendar shows.
  published_event bigint not null default 0,
  -- What the server calls the state that was read last.
  sync_token      text,
  sync_tag        text,
  -- When it is due although nothing has changed: to see what has been moved there, or to try again.
  next_sync_at    timestamptz(3),
  -- A job is at work until then.
  leased_until    timestamptz(3),
  failures        integer not null default 0,
  error           text,
  synced_at       timestamptz(3),
  event_count     integer not null default 0,
  created_at      timestamptz(3) not null default current_timestamp,
  updated_at      timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

-- What we have put there. An event without a row is not ours, and is left alone.
create table published_blocks (
  user_id          uuid not null,
  plan_calendar_id uuid not null,
  thread           uuid not null,
  -- Null until it is known; empty once the event was deleted there, or has become a series.
  etag             text,
  -- Another program has changed the event: what it has added is kept.
  is_edited        boolean not null default false,
  -- Of what we wrote: nothing is sent that is there already.
  fingerprint      bytea not null,
  start_at         timestamptz(3) not null,
  end_at           timestamptz(3) not null,
  primary key (user_id, plan_calendar_id, thread),
  foreign key (user_id, plan_calendar_id) references plan_calendars (user_id, id) on delete cascade
);
