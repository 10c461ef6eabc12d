-- Whether the worker has to create the calendar at its server first.
alter table plan_calendars add column creates boolean not null default false;
