-- Calendars at CalDAV servers. Their user name and password are encrypted with the address in `sealed_url`.

alter table calendars
  -- Null for a file at an address.
  add column username text,
  -- What the server calls the state that was read last: a token for a list of later changes, or a tag to compare.
  add column sync_token text,
  add column sync_tag text;

-- The files of a calendar at a CalDAV server, each with one event or series.
create table calendar_objects (
  user_id     uuid not null,
  calendar_id uuid not null,
  path        text collate "C" not null check (char_length(path) <= 2000),
  etag        text not null,
  -- Empty for a past event.
  body        text not null,
  primary key (user_id, calendar_id, path),
  foreign key (user_id, calendar_id) references calendars (user_id, id) on delete cascade
);
