-- What happened, to whom it was done and by whom: one ordered stream for each user, written in the
-- transaction of the change itself. Everything that follows a change (streams, webhooks, history,
-- the planner acting by itself) reads from here.

-- Each user's place in their stream, what is to be done for them next, and how they want it. Every
-- write passes through this row, as its last lock: the order of the numbers is the order of commits.
create table agendas (
  user_id         uuid not null,
  last_event      bigint not null default 0,
  -- The first change since the last run that the plan does not know of.
  stale_since     timestamptz(3),
  -- When someone has to look after this user next; null for never.
  due_at          timestamptz(3) default current_timestamp,
  automatic       boolean not null default false,
  -- Local times; a span over midnight where it ends before it begins.
  quiet_from      time,
  quiet_to        time,
  daily_run_at    time not null default '05:00',
  summary_at      time default '07:00',
  has_webhooks    boolean not null default false,
  -- The local days that are done with.
  planned_on      date,
  summarized_on   date,
  trimmed_on      date,
  primary key (user_id),
  foreign key (user_id) references users (id) on delete cascade,
  check ((quiet_from is null) = (quiet_to is null))
);

create index agendas_due on agendas (due_at) where due_at is not null;

create table events (
  user_id   uuid not null,
  -- A change has one number, and a part for each record that it touched.
  seq       bigint not null,
  part      integer not null,
  at        timestamptz(3) not null default current_timestamp,
  type      text not null,
  record_id uuid not null,
  before    jsonb,
  after     jsonb,
  actor     jsonb not null,
  primary key (user_id, seq, part),
  -- The agenda is locked already when an event is written: the check costs no further lock.
  foreign key (user_id) references agendas (user_id) on delete cascade
);

create index events_by_record on events (user_id, record_id, seq desc);

insert into agendas (user_id) select id from users;
