-- How people sign in: Better Auth's own tables, in a schema of their own. What belongs to a person
-- is in `users` and below, keyed by the same id.

create schema auth;

create table auth.users (
  id             uuid primary key,
  name           text not null,
  email          text not null unique,
  email_verified boolean not null default false,
  image          text,
  role           text not null default 'user',
  banned         boolean not null default false,
  ban_reason     text,
  ban_expires    timestamptz,
  created_at     timestamptz(3) not null default current_timestamp,
  updated_at     timestamptz(3) not null default current_timestamp
);

create table auth.sessions (
  id              uuid primary key,
  token           text not null unique,
  user_id         uuid not null references auth.users (id) on delete cascade,
  expires_at      timestamptz not null,
  ip_address      text,
  user_agent      text,
  impersonated_by uuid,
  created_at      timestamptz(3) not null default current_timestamp,
  updated_at      timestamptz(3) not null default current_timestamp
);

create index sessions_by_user on auth.sessions (user_id);

create table auth.accounts (
  id                       uuid primary key,
  user_id                  uuid not null references auth.users (id) on delete cascade,
  account_id               text not null,
  provider_id              text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz(3) not null default current_timestamp,
  updated_at               timestamptz(3) not null default current_timestamp,
  unique (provider_id, account_id)
);

create index accounts_by_user on auth.accounts (user_id);

create table auth.verifications (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp
);

create index verifications_by_identifier on auth.verifications (identifier);

-- The instance itself, of which there is one: the secret that signs its sessions, unless the
-- operator gives another, and its first account, which is its admin.
create table auth.instance (
  single        boolean primary key default true check (single),
  secret        text not null default encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'),
  first_user_id uuid
);

insert into auth.instance default values;
