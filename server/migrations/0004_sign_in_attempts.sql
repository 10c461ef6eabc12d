-- How often a password was tried for an account, whether or not there is such an account: counted
-- here, since every process may be asked.
create table auth.attempts (
  -- SHA-256 of the account's name: nobody's address is kept because someone typed it.
  account  bytea primary key,
  -- When the account's allowance will be whole again.
  whole_at timestamptz(3) not null
);

create index attempts_by_end on auth.attempts (whole_at);
