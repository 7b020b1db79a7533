-- expand, release 0.2.0
-- The personal part of an outbound call, sealed with the key of its stream; null once it was erased. Rows of older releases have it in
-- `state`, in the clear, until a background job seals it.
alter table outbound_calls add column personal text;
-- Keyed hash of the called number; empty once it was erased, null for a row that the job has not seen.
alter table outbound_calls add column number_hash text;

-- When each organization's calls and campaigns are next looked at for what has become too old.
create table retention_rounds (
  organization_id text primary key,
  next_at timestamptz not null,
  -- calls that were created before are erased; null before the first round
  calls_before timestamptz
);
create index retention_rounds_next on retention_rounds (next_at);

create index campaigns_with_personal on campaigns (organization_id, updated_at) where state -> 'personal' <> 'null'::jsonb;
-- The cells of refused rows are as people wrote them: the last eight digits find those of one number.
create index campaign_refused_rows_digits on campaign_refused_rows
  (organization_id, right(regexp_replace(phone_number, '\D', '', 'g'), 8)) where phone_number is not null;

-- Campaigns that have ended and whose recipients were all sealed since: their rows have the keyed hash of the number, and the rest
-- sealed with the key of the campaign's stream.
create table sealed_campaigns (campaign_id uuid primary key);
