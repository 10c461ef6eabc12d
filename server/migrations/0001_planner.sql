-- Every row belongs to a user, and every key begins with that user: a reference cannot cross from
-- one user to another, and a user's rows can live together on any node of a cluster. For the same
-- reason there are no triggers and no ON DELETE SET NULL: whoever deletes a record detaches what
-- refers to it in the same statement.

-- In rank order: the lists sort by them.
create type task_status    as enum ('backlog', 'todo', 'in_progress', 'completed', 'cancelled', 'archived');
create type task_priority  as enum ('none', 'low', 'medium', 'high', 'urgent');
create type project_status as enum ('backlog', 'planned', 'in_progress', 'completed', 'cancelled', 'archived');
create type block_status   as enum ('scheduled', 'in_progress', 'completed', 'cancelled');
create type doc_type       as enum ('note', 'spec', 'reference', 'link');
create type user_role      as enum ('user', 'admin');

-- A timestamp as the wire has it: ISO 8601 in UTC, with milliseconds. The planner inlines it.
create function iso(timestamptz) returns text
  language sql stable parallel safe
  return to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create table users (
  id           uuid not null,
  email        text not null,
  display_name text not null,
  timezone     text not null default 'UTC',
  role         user_role not null default 'user',
  disabled_at  timestamptz(3),
  created_at   timestamptz(3) not null default current_timestamp,
  updated_at   timestamptz(3) not null default current_timestamp,
  primary key (id)
);

create table api_keys (
  user_id      uuid not null,
  id           uuid not null,
  name         text not null check (char_length(name) between 1 and 100),
  prefix       text not null,
  -- SHA-256 of the key, which is shown once and kept nowhere.
  hash         bytea not null,
  scopes       text[] not null,
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  created_at   timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  unique (user_id, hash),
  foreign key (user_id) references users (id) on delete cascade
);

create table spaces (
  user_id    uuid not null,
  id         uuid not null,
  name       text not null check (char_length(name) between 1 and 100),
  color      text not null default '#6B7280',
  icon       text not null default 'folder',
  is_default boolean not null default false,
  sort_order double precision not null default 0 check (sort_order > '-infinity' and sort_order < 'infinity'),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

create unique index spaces_one_default on spaces (user_id) where is_default;

create table projects (
  user_id       uuid not null,
  id            uuid not null,
  space_id      uuid,
  name          text not null check (char_length(name) between 1 and 200),
  description   text not null default '',
  color         text not null default '#6B7280',
  icon          text not null default 'folder',
  status        project_status not null default 'backlog',
  priority      integer,
  target_date   timestamptz(3),
  archived      boolean not null default false,
  auto_schedule boolean not null default true,
  sort_order    double precision not null default 0 check (sort_order > '-infinity' and sort_order < 'infinity'),
  created_at    timestamptz(3) not null default current_timestamp,
  updated_at    timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, space_id) references spaces (user_id, id)
);

create index projects_by_space on projects (user_id, space_id) where space_id is not null;

create table schedule_preferences (
  user_id    uuid not null,
  id         uuid not null,
  name       text not null check (char_length(name) between 1 and 100),
  windows    jsonb not null check (jsonb_typeof(windows) = 'array' and jsonb_array_length(windows) > 0),
  priority   integer not null default 0,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade
);

create table tasks (
  user_id                uuid not null,
  id                     uuid not null,
  space_id               uuid,
  project_id             uuid,
  parent_task_id         uuid,
  schedule_preference_id uuid,
  due_at                 timestamptz(3),
  start_after            timestamptz(3),
  completed_at           timestamptz(3),
  -- When it became archived: the planner removes it 30 days later, however often it was edited.
  archived_at            timestamptz(3),
  created_at             timestamptz(3) not null default current_timestamp,
  updated_at             timestamptz(3) not null default current_timestamp,
  sort_order             double precision not null default 0 check (sort_order > '-infinity' and sort_order < 'infinity'),
  status                 task_status not null default 'todo',
  priority               task_priority not null default 'none',
  estimate_minutes       integer check (estimate_minutes between 0 and 960),
  actual_minutes         integer,
  min_session_minutes    integer not null default 5 check (min_session_minutes between 1 and 60),
  max_session_minutes    integer not null default 60 check (max_session_minutes between 1 and 480),
  cooldown_minutes       integer not null default 5 check (cooldown_minutes >= 0),
  auto_schedule          boolean not null default true,
  auto_split             boolean not null default true,
  locked                 boolean not null default false,
  title                  text not null check (char_length(title) between 1 and 500),
  description            text not null default '',
  primary key (user_id, id),
  check ((archived_at is not null) = (status = 'archived')),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, space_id) references spaces (user_id, id),
  foreign key (user_id, project_id) references projects (user_id, id),
  foreign key (user_id, parent_task_id) references tasks (user_id, id),
  foreign key (user_id, schedule_preference_id) references schedule_preferences (user_id, id)
);

-- The order of the list, whole: a page reads its own rows and no others.
create index tasks_in_list_order on tasks (user_id, status, priority desc, due_at, sort_order, id);
create index tasks_by_space on tasks (user_id, space_id) where space_id is not null;
create index tasks_by_project on tasks (user_id, project_id) where project_id is not null;
create index tasks_by_parent on tasks (user_id, parent_task_id) where parent_task_id is not null;
create index tasks_by_preference on tasks (user_id, schedule_preference_id) where schedule_preference_id is not null;
create index tasks_by_due on tasks (user_id, due_at) where due_at is not null;

create table labels (
  user_id    uuid not null,
  id         uuid not null,
  -- Compared and sorted exactly, byte by byte, whatever the database's locale.
  name       text collate "C" not null check (char_length(name) between 1 and 100),
  color      text check (color ~ '^#[0-9A-Fa-f]{6}$'),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  unique (user_id, name),
  foreign key (user_id) references users (id) on delete cascade
);

create table task_labels (
  user_id  uuid not null,
  task_id  uuid not null,
  label_id uuid not null,
  primary key (user_id, task_id, label_id),
  foreign key (user_id, task_id) references tasks (user_id, id) on delete cascade,
  foreign key (user_id, label_id) references labels (user_id, id) on delete cascade
);

create index task_labels_by_label on task_labels (user_id, label_id, task_id);

create table checklist_items (
  user_id    uuid not null,
  id         uuid not null,
  task_id    uuid not null,
  title      text not null check (char_length(title) between 1 and 500),
  completed  boolean not null default false,
  sort_order double precision not null default 0 check (sort_order > '-infinity' and sort_order < 'infinity'),
  primary key (user_id, id),
  foreign key (user_id, task_id) references tasks (user_id, id) on delete cascade
);

create index checklist_items_by_task on checklist_items (user_id, task_id, sort_order, id);

create table documents (
  user_id    uuid not null,
  id         uuid not null,
  space_id   uuid,
  project_id uuid,
  title      text not null check (char_length(title) between 1 and 500),
  content    text not null default '',
  url        text,
  doc_type   doc_type not null default 'note',
  sort_order double precision not null default 0 check (sort_order > '-infinity' and sort_order < 'infinity'),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, space_id) references spaces (user_id, id),
  foreign key (user_id, project_id) references projects (user_id, id)
);

create index documents_by_space on documents (user_id, space_id) where space_id is not null;
create index documents_by_project on documents (user_id, project_id) where project_id is not null;

create table task_documents (
  user_id     uuid not null,
  task_id     uuid not null,
  document_id uuid not null,
  primary key (user_id, task_id, document_id),
  foreign key (user_id, task_id) references tasks (user_id, id) on delete cascade,
  foreign key (user_id, document_id) references documents (user_id, id) on delete cascade
);

create index task_documents_by_document on task_documents (user_id, document_id, task_id);

create table task_dependencies (
  user_id            uuid not null,
  id                 uuid not null,
  task_id            uuid not null,
  depends_on_task_id uuid not null check (depends_on_task_id <> task_id),
  created_at         timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  unique (user_id, task_id, depends_on_task_id),
  foreign key (user_id, task_id) references tasks (user_id, id) on delete cascade,
  foreign key (user_id, depends_on_task_id) references tasks (user_id, id) on delete cascade
);

create index task_dependencies_by_other on task_dependencies (user_id, depends_on_task_id);

create table time_blocks (
  user_id      uuid not null,
  id           uuid not null,
  task_id      uuid,
  start_at     timestamptz(3) not null,
  end_at       timestamptz(3) not null,
  -- The planner's own cancelled blocks are removed some days after this.
  cancelled_at timestamptz(3),
  created_at   timestamptz(3) not null default current_timestamp,
  updated_at   timestamptz(3) not null default current_timestamp,
  sort_order   integer not null default 0 check (sort_order >= 0),
  status       block_status not null default 'scheduled',
  locked       boolean not null default false,
  defended     boolean not null default false,
  type         text not null default 'task',
  source       text not null check (source in ('auto', 'manual')),
  title        text not null,
  explanation  text,
  primary key (user_id, id),
  check (end_at > start_at and end_at <= start_at + interval '24 hours'),
  check ((cancelled_at is not null) = (status = 'cancelled')),
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, task_id) references tasks (user_id, id)
);

create index time_blocks_in_calendar on time_blocks (user_id, start_at, id) where status <> 'cancelled';
create index time_blocks_by_task on time_blocks (user_id, task_id, start_at, id) where task_id is not null;

create table notifications (
  user_id    uuid not null,
  id         uuid not null,
  type       text not null,
  title      text not null,
  body       text not null,
  read       boolean not null default false,
  metadata   jsonb not null,
  -- The local day of a morning summary, of which there is one.
  once       text,
  created_at timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  unique (user_id, type, once),
  foreign key (user_id) references users (id) on delete cascade
);

create index notifications_newest on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id) where not read;

-- What an Idempotency-Key was answered, written in the transaction of the write itself.
create table idempotency_keys (
  user_id     uuid not null,
  key         text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null,
  status      integer,
  body        text,
  created_at  timestamptz(3) not null default current_timestamp,
  primary key (user_id, key),
  foreign key (user_id) references users (id) on delete cascade
);

create index idempotency_keys_by_age on idempotency_keys (user_id, created_at);
