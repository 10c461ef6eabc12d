-- Whether the user sees the events of a calendar. Hidden ones still block time.
alter table calendars add column shown boolean not null default true;
