-- Notifications are written on request only, unless the user asks for more.

alter table agendas alter column summary_at drop default;
-- Whether a run by itself is followed by an alert for deadlines at risk.
alter table agendas add column deadline_alerts boolean not null default false;
