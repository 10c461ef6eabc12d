-- Accounts at Google and Microsoft. Their tokens are encrypted.

create table connected_accounts (
  user_id       uuid not null,
  id            uuid not null,
  kind          text not null check (kind in ('google', 'microsoft')),
  -- Empty if the provider does not say it.
  email         text not null,
  sealed_tokens text not null,
  created_at    timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  -- Connected again, an account keeps its calendars.
  unique (user_id, kind, email),
  foreign key (user_id) references users (id) on delete cascade
);
