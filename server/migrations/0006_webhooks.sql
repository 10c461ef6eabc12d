-- Where a user wants to be told of events, how far each has got, and what happened on the way.

create table webhooks (
  user_id         uuid not null,
  id              uuid not null,
  url             text not null check (char_length(url) between 1 and 2048),
  -- Beginnings of event types; null for all.
  types           text[],
  secret          text not null,
  -- Signs beside the new one for a day after a rotation.
  former_secret   text,
  former_until    timestamptz(3),
  disabled_at     timestamptz(3),
  disabled_reason text,
  -- The last event that was delivered, or was not for it.
  seq             bigint not null,
  part            integer not null,
  -- Attempts at the event after that, and when the next one is due.
  attempts        integer not null default 0,
  next_at         timestamptz(3),
  created_at      timestamptz(3) not null default current_timestamp,
  updated_at      timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

-- Each attempt, for whoever wants to know why nothing arrives.
create table webhook_deliveries (
  user_id     uuid not null,
  id          uuid not null,
  webhook_id  uuid not null,
  seq         bigint not null,
  part        integer not null,
  type        text not null,
  attempt     integer not null,
  at          timestamptz(3) not null,
  -- What the receiver answered; null where it did not.
  status      integer,
  error       text,
  duration_ms integer not null,
  primary key (user_id, id),
  foreign key (user_id, webhook_id) references webhooks (user_id, id) on delete cascade
);

create index webhook_deliveries_newest on webhook_deliveries (user_id, webhook_id, at desc, id desc);
