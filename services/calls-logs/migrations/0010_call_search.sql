-- expand, release 0.1.0
-- The number of the other party of each call, and the words of its name: what the call log is searched by. Written by the
-- projection `call-search` alone. Every index begins with the organization and ends with the order of the log, so that a
-- page is read off it, however many calls there are.
create table call_numbers (
  call_id text primary key,
  organization_id text not null,
  -- E.164 without its plus
  digits text not null,
  started_at timestamptz not null
);
create index call_numbers_last_3 on call_numbers (organization_id, right(digits, 3), started_at desc, call_id desc);
create index call_numbers_last_5 on call_numbers (organization_id, right(digits, 5), started_at desc, call_id desc);
create index call_numbers_last_7 on call_numbers (organization_id, right(digits, 7), started_at desc, call_id desc);

create table call_names (
  call_id text not null,
  -- A word of the name, or all of it, without accents and in lower case.
  word text not null,
  organization_id text not null,
  started_at timestamptz not null,
  primary key (call_id, word)
);
create index call_names_word on call_names (organization_id, word, started_at desc, call_id desc);
