-- expand, release 0.2.0
-- The operator's limits are counted by UTC days and months, for every organization and for the installation, so that no
-- organization moves the midnight of a limit that it did not set. `day` stays the day of the organization's own calendar.
-- The default counts the reservations of a replica of the release before.
alter table spend_reservations add column utc_day date not null default ((now() at time zone 'utc')::date);
update spend_reservations set utc_day = day where settled_at is null and utc_day <> day;

-- What counts against the operator's limits. Kept by the triggers below and by nothing else, so that replicas of the release
-- before count as well.
create table operator_spend (
  -- '*' for the installation
  organization_id text not null,
  -- Of the installation: organizations are spread over its stripes, so that a reservation does not wait for those of all others.
  stripe smallint not null,
  -- calls, day or month
  period text not null,
  -- '' for the calls in progress, 2026-11-22 for a day, 2026-11 for a month
  key text not null,
  -- micros
  spent bigint not null default 0,
  -- micros, or the calls in progress
  reserved bigint not null default 0,
  -- Of the installation: the part of the limit that this stripe may use, and the limit that was shared out. Null: not shared out yet.
  share bigint,
  shared_limit bigint,
  primary key (organization_id, stripe, period, key),
  constraint operator_spend_period check (period in ('calls', 'day', 'month')),
  constraint operator_spend_positive check (spent >= 0 and reserved >= 0)
) with (fillfactor = 70);

-- The same stripe for an organization at all times, in every version of Postgres.
create function installation_stripe(organization text) returns smallint language sql immutable as
$$ select ('x' || left(md5(organization), 1))::bit(4)::int::smallint $$;

-- Every transaction takes the rows of a stripe in this order, and the row of its calls first, which makes that row the lock of
-- the stripe. A transaction with several organizations takes them in the order of their stripes.
create function reserve_operator_spend(organization text, utc_day date, calls bigint, micros bigint)
returns void language sql as $$
  insert into operator_spend as o (organization_id, stripe, period, key, reserved)
    select t.organization_id, t.stripe, t.period, t.key, t.reserved
    from (values
      (1, organization, 0::smallint, 'day', to_char(utc_day, 'YYYY-MM-DD'), micros),
      (2, organization, 0::smallint, 'month', to_char(utc_day, 'YYYY-MM'), micros),
      (3, '*', installation_stripe(organization), 'calls', '', calls),
      (4, '*', installation_stripe(organization), 'day', to_char(utc_day, 'YYYY-MM-DD'), micros),
      (5, '*', installation_stripe(organization), 'month', to_char(utc_day, 'YYYY-MM'), micros)
    ) as t (place, organization_id, stripe, period, key, reserved)
    order by t.place
  on conflict (organization_id, stripe, period, key) do update set reserved = o.reserved + excluded.reserved
$$;

create function settle_operator_spend(organization text, utc_day date, calls bigint, micros bigint, spent_micros bigint)
returns void language plpgsql as $$
declare
  of_organization smallint := installation_stripe(organization);
  of_day text := to_char(utc_day, 'YYYY-MM-DD');
  of_month text := to_char(utc_day, 'YYYY-MM');
begin
  update operator_spend o set spent = o.spent + spent_micros, reserved = o.reserved - micros
    where o.organization_id = organization and o.stripe = 0 and o.period = 'day' and o.key = of_day;
  update operator_spend o set spent = o.spent + spent_micros, reserved = o.reserved - micros
    where o.organization_id = organization and o.stripe = 0 and o.period = 'month' and o.key = of_month;
  update operator_spend o set reserved = o.reserved - calls
    where o.organization_id = '*' and o.stripe = of_organization and o.period = 'calls' and o.key = '';
  update operator_spend o set spent = o.spent + spent_micros, reserved = o.reserved - micros
    where o.organization_id = '*' and o.stripe = of_organization and o.period = 'day' and o.key = of_day;
  update operator_spend o set spent = o.spent + spent_micros, reserved = o.reserved - micros
    where o.organization_id = '*' and o.stripe = of_organization and o.period = 'month' and o.key = of_month;
end $$;

create function operator_spend_reserved() returns trigger language plpgsql as $$
begin
  perform reserve_operator_spend(s.organization_id, s.utc_day, s.calls, s.micros)
  from (select organization_id, utc_day, count(*) filter (where kind <> 'number') as calls, sum(micros)::bigint as micros
        from added where settled_at is null group by 1, 2
        order by installation_stripe(organization_id), 1, 2) as s;
  return null;
end $$;
create trigger spend_reservations_reserved after insert on spend_reservations
  referencing new table as added for each statement execute function operator_spend_reserved();

create function operator_spend_settled() returns trigger language plpgsql as $$
begin
  perform settle_operator_spend(new.organization_id, new.utc_day, case when new.kind = 'number' then 0 else 1 end,
    old.micros, new.settled_micros);
  return null;
end $$;
create trigger spend_reservations_settled after update on spend_reservations for each row
  when (old.settled_at is null and new.settled_at is not null) execute function operator_spend_settled();

create function operator_spend_released() returns trigger language plpgsql as $$
begin
  perform settle_operator_spend(s.organization_id, s.utc_day, s.calls, s.micros, 0)
  from (select organization_id, utc_day, count(*) filter (where kind <> 'number') as calls, sum(micros)::bigint as micros
        from removed where settled_at is null group by 1, 2
        order by installation_stripe(organization_id), 1, 2) as s;
  return null;
end $$;
create trigger spend_reservations_released after delete on spend_reservations
  referencing old table as removed for each statement execute function operator_spend_released();

-- What was spent before counts for the day that it was booked on. Nobody writes reservations until this is done, because of the
-- locks of the new triggers.
insert into operator_spend (organization_id, stripe, period, key, spent, reserved)
  select organization_id, 0, period, key, calls_spent + numbers_spent, calls_reserved + numbers_reserved
  from spend_totals where period in ('day', 'month') and last_day >= date_trunc('month', now() at time zone 'utc') - interval '1 day';
insert into operator_spend (organization_id, stripe, period, key, spent, reserved)
  select '*', installation_stripe(organization_id), period, key, sum(spent), sum(reserved)
  from operator_spend group by 2, 3, 4;
insert into operator_spend (organization_id, stripe, period, key, reserved)
  select '*', installation_stripe(organization_id), 'calls', '', count(*)
  from spend_reservations where settled_at is null and kind <> 'number' group by 2;

-- The clock by which the days of an organization's own budgets are cut until the day that is in progress has ended, after another
-- time zone was chosen.
alter table organization_settings add column day_zone text, add column day_zone_until timestamptz;
