-- Work that comes again. Each occurrence is a task like any other.

create table recurrences (
  user_id          uuid not null,
  id               uuid not null,
  -- calendar: on the days of the rule. completion: so long after the last one ended. times: so many in each period.
  kind             text not null check (kind in ('calendar', 'completion', 'times')),
  rule             text not null check (char_length(rule) between 1 and 500),
  times            integer check (times between 1 and 31),
  starts_on        date not null,
  ends_on          date,
  most             integer check (most > 0),
  -- Local times; a null due time is the end of the day.
  start_time       time not null,
  due_time         time,
  lead_days        integer not null check (lead_days between 0 and 366),
  missed           text not null check (missed in ('lapse', 'wait', 'pile')),
  preferred_time   time,
  -- At most one on a day: the planner puts its occurrences on different days.
  once_a_day       boolean not null default true,
  -- The fields of each task, without its times, and the titles of its checklist.
  task             jsonb not null check (jsonb_typeof(task) = 'object'),
  checklist        jsonb not null check (jsonb_typeof(checklist) = 'array'),
  words            text not null,
  -- The recurrence that this one continues, which may be deleted.
  follows          uuid,
  paused_at        timestamptz(3),
  -- It stays for a while, so that a revert finds which occurrences there were.
  deleted_at       timestamptz(3),
  -- Occurrences due until this local day are settled: none of them is made any more.
  settled_to       date not null,
  -- Occurrences so far, with those whose rows have been deleted by age.
  occurrence_count integer not null default 0,
  -- The zone in which the times of open occurrences were computed.
  zone             text not null,
  created_at       timestamptz(3) not null default current_timestamp,
  updated_at       timestamptz(3) not null default current_timestamp,
  primary key (user_id, id),
  check ((kind = 'times') = (times is not null)),
  check (ends_on >= starts_on),
  foreign key (user_id) references users (id) on delete cascade
);

-- One row for each occurrence that was made, or missed before it could be. The key makes it unique, so it is made
-- once, and a row without a task keeps it from being made again.
create table occurrences (
  user_id       uuid not null,
  recurrence_id uuid not null,
  -- The local day of the rule or the first of the period, and the number in it.
  on_day        date not null,
  nth           integer not null check (nth > 0),
  task_id       uuid,
  -- The task that was deleted, or was archived with the recurrence, in case that is reverted.
  former_task   uuid,
  -- made: the worker watches it. ended: its task was closed, and its day is settled. skipped: its task was deleted.
  state         text not null check (state in ('made', 'ended', 'skipped', 'lapsed')),
  -- `updated_at` of the task when it was made: it differs once somebody has edited the task.
  task_stamp    timestamptz(3),
  created_at    timestamptz(3) not null default current_timestamp,
  -- Those made in one statement have the same time.
  place         integer not null default 0,
  primary key (user_id, recurrence_id, on_day, nth),
  -- Directly, so that an account's occurrences are deleted before the references to its tasks are checked.
  foreign key (user_id) references users (id) on delete cascade,
  foreign key (user_id, recurrence_id) references recurrences (user_id, id) on delete cascade,
  foreign key (user_id, task_id) references tasks (user_id, id)
);

create unique index occurrences_by_task on occurrences (user_id, task_id) where task_id is not null;
create index occurrences_by_former_task on occurrences (user_id, former_task) where former_task is not null;
create index occurrences_watched on occurrences (user_id, recurrence_id) where state = 'made';

alter table agendas
  -- When the worker decides on the user's recurrences next; null if there are none.
  add column recurrences_at timestamptz(3),
  -- The last event that it had seen then.
  add column recurrences_event bigint not null default 0;
