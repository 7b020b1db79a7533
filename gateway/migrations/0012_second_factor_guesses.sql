-- expand, release 0.2.0
-- Guesses at the second factor of an account, over all challenges and gateways. A right code deletes the row.
create table second_factor_guesses (
  user_id text primary key,
  -- since the last lock
  guesses integer not null,
  -- locks in a row; each is twice as long as the one before
  locks integer not null default 0,
  locked_until timestamptz,
  -- false for a guess that came during a lock
  is_admitted boolean not null default true,
  -- the mail about the first lock was written
  is_told boolean not null default false,
  guessed_at timestamptz not null
);
create index second_factor_guesses_by_age on second_factor_guesses (guessed_at);
