-- Mails that wait to be sent. A row is written in the transaction of the request that the mail is about, and deleted when
-- the mail was sent or has lost its meaning. Links and addresses are sealed.
create table mail_outbox (
  id text primary key,
  kind text not null,
  sealed text not null,
  created_at timestamptz not null default now(),
  -- The offer of the mail ends at this time, so the mail is not sent afterwards.
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- This time is also the end of a claim: the gateway that claimed the mail has until then to send it.
  next_attempt_at timestamptz not null default now()
);

create index mail_outbox_due on mail_outbox (next_attempt_at);

-- Codes of a second factor that were tried, so that no code opens anything twice. Kept for as long as a code is good.
create table tried_codes (
  user_id text not null,
  code_hash text not null,
  tried_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
