-- Bytes are counted and bounded: events name a document's text by its hash, a text that was replaced is
-- kept once, and each user's agenda counts what the user has.

create function text_hash(text) returns bytea
  language sql immutable strict parallel safe
  return sha256(convert_to($1, 'UTF8'));

alter table documents
  add column content_hash bytea not null generated always as (text_hash(content)) stored;

-- Texts that documents had before. An event that replaces or deletes a text keeps it here.
create table texts (
  user_id    uuid not null,
  hash       bytea not null,
  content    text not null,
  -- The newest event that shows it as `before`: when that event goes, the text goes.
  last_event bigint not null,
  primary key (user_id, hash),
  foreign key (user_id) references users (id) on delete cascade
);

-- The size of `before` and `after`, so that a page can be bounded without reading them.
alter table events add column bytes integer not null default 1000;

-- Counted in the row that every write locks. A value over the user's limit is written as null, which
-- these columns refuse: the whole statement fails, and no concurrent request can get past.
alter table agendas
  add column task_count integer not null default 0,
  add column project_count integer not null default 0,
  add column space_count integer not null default 0,
  add column label_count integer not null default 0,
  add column document_count integer not null default 0,
  add column checklist_item_count integer not null default 0,
  add column schedule_preference_count integer not null default 0,
  -- Those placed by hand: the planner's own follow from the tasks.
  add column time_block_count integer not null default 0,
  add column dependency_count integer not null default 0,
  add column document_link_count integer not null default 0,
  -- Of documents' contents and of descriptions.
  add column text_bytes bigint not null default 0,
  -- Of events and of the texts that they keep.
  add column history_bytes bigint not null default 0;
