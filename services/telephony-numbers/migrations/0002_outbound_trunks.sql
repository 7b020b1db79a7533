-- The way out for calls from the numbers of a provider: the media server's trunk, and the settings that it fits. No password
-- is kept here: the media server has it, the provider knows it, and where one of them lost it both get a new one.
create table outbound_trunks (
  provider text primary key check (provider in ('TWILIO', 'TELNYX')),
  -- The media server's; null while calls cannot leave.
  trunk_id text,
  address text,
  transport text,
  -- Version of the credentials at the provider.
  credential text,
  -- The provider's side, with which its numbers are connected; null until all of them are.
  termination_id text,
  -- When the provider is asked again whether all is as it was.
  next_check_at timestamptz not null,
  -- The provider turned a call away; since when that was not looked into.
  suspected_at timestamptz,
  -- When a suspicion was looked into last.
  cleared_at timestamptz,
  -- Why it is not in order, in words for the public.
  trouble text,
  updated_at timestamptz not null
);
