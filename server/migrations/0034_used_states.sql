-- The expiry of the newest OAuth state with which the user has connected an account. An older one, or the same again, is
-- refused.

alter table user_state add column used_state_until timestamptz(3);
