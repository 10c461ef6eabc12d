-- By itself: a lock of this table is not held while another one is waited for.

alter table calendars
  -- Of a calendar that is read with the API of its provider.
  add column account_id uuid,
  add column provider text check (provider in ('google', 'microsoft')),
  add foreign key (user_id, account_id) references connected_accounts (user_id, id) on delete cascade;
