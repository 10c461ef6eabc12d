-- The plan as a feed: addresses at which calendar programs fetch it, and an identity of blocks for them.

-- A run replaces its blocks. A block that takes the place of another one continues its thread, so calendar
-- programs see an event that moved. Null: the block's own id.
alter table time_blocks add column thread uuid;

create unique index time_blocks_by_thread on time_blocks (user_id, coalesce(thread, id))
 where status <> 'cancelled';

create table feeds (
  user_id      uuid not null,
  id           uuid not null,
  name         text not null check (char_length(name) between 1 and 100),
  detail       text not null check (detail in ('full', 'titles', 'busy')),
  -- SHA-256 of the token in the address. The token is shown once and not stored.
  hash         bytea not null,
  last_read_at timestamptz(3),
  created_at   timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  unique (user_id, hash),
  foreign key (user_id) references users (id) on delete cascade
);
