-- The ledger of the organizations' spending (docs/adr/0023). Owned: no stream holds it, and no rebuild makes it anew.

-- One row for each call's attempt, or number, that money was put aside for. An open row holds its worst case; a settled
-- row is kept for a while, so that the same subject is neither settled nor reserved a second time.
create table spend_reservations (
  -- `call:<outbound call>:<attempt>` or `number:<number>`
  subject text primary key,
  organization_id text not null,
  kind text not null,
  campaign_id uuid,
  -- counts for the organization's budget of quick calls, too
  is_quick boolean not null,
  -- the worst case
  micros bigint not null,
  currency text not null,
  -- on the organization's calendar, on the day when the money was put aside
  day date not null,
  reserved_at timestamptz not null,
  -- null while the row is open
  settled_at timestamptz,
  -- the real cost; null while the row is open
  settled_micros bigint,

  -- Of a call only.
  outbound_call_id uuid,
  -- the attempt that the row stands for now
  attempt int,
  -- the platform's own further tries of the same wish use this row as well
  is_renewed boolean,
  -- price of a started minute
  rate_micros bigint,
  -- the longest that the call may last
  seconds int,
  -- the attempt that was last let through to its dial
  dialled_attempt int,
  answered_at timestamptz,

  constraint spend_reservations_kind check (kind in ('call', 'number')),
  constraint spend_reservations_micros check (micros >= 0),
  constraint spend_reservations_settled check (
    (settled_at is null) = (settled_micros is null) and (settled_micros is null or settled_micros between 0 and micros)),
  constraint spend_reservations_call check ((kind = 'call') = (outbound_call_id is not null and attempt is not null
    and is_renewed is not null and rate_micros is not null and seconds is not null))
);
create index spend_reservations_open_call on spend_reservations (outbound_call_id) where settled_at is null;
create index spend_reservations_open on spend_reservations (reserved_at) where settled_at is null and kind = 'call';
create index spend_reservations_settled on spend_reservations (settled_at) where settled_at is not null;

-- The money that an organization has spent and put aside, by day, by month, by campaign, and by day for its quick calls
-- alone. The totals are written together with the rows above, so that reading a total does not depend on their number.
create table spend_totals (
  organization_id text not null,
  -- day, month, campaign or quick
  period text not null,
  -- 2026-11-22 for a day or quick calls, 2026-11 for a month, the campaign's id
  key text not null,
  calls_spent bigint not null,
  calls_reserved bigint not null,
  numbers_spent bigint not null,
  numbers_reserved bigint not null,
  -- the days that something in it counts for
  first_day date not null,
  last_day date not null,
  primary key (organization_id, period, key),
  constraint spend_totals_period check (period in ('day', 'month', 'campaign', 'quick')),
  constraint spend_totals_positive check (
    calls_spent >= 0 and calls_reserved >= 0 and numbers_spent >= 0 and numbers_reserved >= 0)
) with (fillfactor = 70);
