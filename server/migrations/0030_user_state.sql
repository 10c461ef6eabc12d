-- Since the settings have their own table, `agendas` holds what the service tracks for each user: the number of the last
-- event, when the worker is due, and usage. The new name says so.
alter table agendas rename to user_state;
alter index agendas_pkey rename to user_state_pkey;
alter index agendas_due rename to user_state_due;
alter table user_state rename constraint agendas_user_id_fkey to user_state_user_id_fkey;
