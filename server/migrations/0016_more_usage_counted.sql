-- In a transaction of its own, so that nobody waits for it: no table is locked, only rows are.
update agendas agenda
   set answer_bytes = (select coalesce(sum(octet_length(body)), 0)
                         from idempotency_keys where user_id = agenda.user_id),
       notification_count = (select count(*) from notifications where user_id = agenda.user_id);
