-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- calendar-objects.delete
delete from calendar_objects where user_id = $1 and calendar_id = $2 and path = any($3::text[]);

-- calendar-objects.delete-all
delete from calendar_objects where user_id = $1 and calendar_id = $2;

-- calendar-objects.list
select path, etag from calendar_objects where user_id = $1 and calendar_id = $2;

-- calendar-objects.list-bodies
select coalesce(json_agg(json_build_object('path', path, 'body', body)), '[]')::text as json
from calendar_objects
where user_id = $1 and calendar_id = $2 and body <> '';

-- calendar-objects.mark-state
update calendars set sync_token = $2, sync_tag = $3 where user_id = $1 and id = $4;

-- calendar-objects.write
insert into calendar_objects (user_id, calendar_id, path, etag, body)
select $1, $2, given.path, given.etag, given.body
from jsonb_to_recordset($3) as given (path text, etag text, body text)
on conflict (user_id, calendar_id, path) do update
set etag = excluded.etag, body = excluded.body;
