-- What servers send is stored only up to these lengths. An object that is deleted here is read again.

delete from calendar_objects where char_length(etag) > 1000 or octet_length(body) > 10000000;

update calendars
   set etag = null, last_modified = null, sync_token = null, sync_tag = null
 where char_length(etag) > 1000 or char_length(last_modified) > 1000 or char_length(sync_token) > 10000
    or char_length(sync_tag) > 10000;

update plan_calendars
   set sync_token = null, sync_tag = null
 where char_length(sync_token) > 10000 or char_length(sync_tag) > 10000;

update published_blocks set etag = null where char_length(etag) > 1000;

alter table calendar_objects
  add check (char_length(etag) <= 1000),
  add check (octet_length(body) <= 10000000);

alter table calendars
  add check (char_length(etag) <= 1000),
  add check (char_length(last_modified) <= 1000),
  add check (char_length(sync_token) <= 10000),
  add check (char_length(sync_tag) <= 10000);

alter table plan_calendars
  add check (char_length(sync_token) <= 10000),
  add check (char_length(sync_tag) <= 10000);

alter table published_blocks
  add check (char_length(etag) <= 1000);
