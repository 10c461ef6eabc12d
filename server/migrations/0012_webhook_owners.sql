-- Who made a webhook, so that it ends with the key that did, and where the user's events stood when it
-- was made: it is never sent what is older.

alter table webhooks
  add column created_by  jsonb,
  add column first_event bigint not null default 0;

-- Webhooks that are here already begin with the first event that was not there before them.
update webhooks webhook
   set first_event = coalesce((select max(event.seq)
                                 from events event
                                where event.user_id = webhook.user_id
                                  and event.at < webhook.created_at), 0);
