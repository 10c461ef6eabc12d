-- Answers that are kept for Idempotency-Keys are counted in bytes: past a limit the oldest go. Notifications
-- are counted as the other rows are.
alter table agendas
  add column answer_bytes bigint not null default 0,
  add column notification_count integer not null default 0;
