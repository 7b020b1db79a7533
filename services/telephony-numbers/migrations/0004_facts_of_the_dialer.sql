-- expand, release 0.2.0
-- A begun purchase whose month the gateway reserves: nothing was ordered yet.
alter table numbers add column awaits_money boolean not null default false;
-- The gateway looks for campaigns that call from the number: until the hold is over, nobody learns whether the number may be used.
alter table numbers add column hold_id uuid;
alter table numbers add column held_until timestamptz;
