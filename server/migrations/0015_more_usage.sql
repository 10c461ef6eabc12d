-- Answers that are kept for Idempotency-Keys are counted in bytes: past a limit the oldest go.
alter table agendas
  add column answer_bytes bigint not null default 0;
