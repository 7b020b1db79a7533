-- Numbers that an organization pays for every month (docs/adr/0025). Owned: no stream holds it. The row of a number stays
-- after the number is gone, so that a reservation that comes late finds out.
create table paid_numbers (
  number_id uuid primary key,
  organization_id text not null,
  -- reserved: a month is put aside, and the number may be bought; owned: paid for; gone: not bought, or given back
  state text not null,
  -- null for a number that was gone before its reservation was asked for
  monthly_micros bigint,
  -- when the month began that was reserved first
  since timestamptz,
  -- months that were paid for
  months int not null default 0,
  -- null for a number that is not owned
  next_charge_at timestamptz,
  -- of the announcement that was heard last
  version int not null default 0,
  constraint paid_numbers_state check (state in ('reserved', 'owned', 'gone')),
  constraint paid_numbers_price check (state <> 'owned' or (monthly_micros is not null and since is not null))
);
create index paid_numbers_due on paid_numbers (next_charge_at) where state = 'owned';
create index paid_numbers_of_organization on paid_numbers (organization_id);

-- Which campaigns of an organization something was spent on lately.
create index spend_totals_campaigns on spend_totals (organization_id, last_day) where period = 'campaign';
