-- Who has added a calendar, or entered its address last: it is not read any more once the API key that did has ended. Null
-- for calendars from before this was recorded.

alter table calendars add column created_by jsonb;
