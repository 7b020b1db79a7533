-- expand, release 0.2.0
-- The search keys of calls as keyed hashes: the key is the organization's, and without it a row tells neither number nor name.
-- Written by the projection `sealed-call-search` alone, in place of `call_numbers` and `call_names`. Every index begins with the
-- organization and ends with the order of the log, so that a page is read off it, however many calls there are.
create table call_number_terms (
  call_id text primary key,
  organization_id text not null,
  -- of the last three digits, the last four, and so on to the whole number
  suffixes text[] not null,
  started_at timestamptz not null
);
create index call_number_terms_last_3 on call_number_terms (organization_id, (suffixes[1]), started_at desc, call_id desc);
create index call_number_terms_last_5 on call_number_terms (organization_id, (suffixes[3]), started_at desc, call_id desc);
create index call_number_terms_last_7 on call_number_terms (organization_id, (suffixes[5]), started_at desc, call_id desc);

create table call_name_terms (
  call_id text not null,
  -- of a word of the name, or of all of it
  term text not null,
  organization_id text not null,
  started_at timestamptz not null,
  primary key (call_id, term)
);
create index call_name_terms_term on call_name_terms (organization_id, term, started_at desc, call_id desc);

-- The read models before them are dropped a day later: until then a replica of the release before may write them.
create table unsealed_read_models (
  only_row boolean primary key default true check (only_row),
  sealed_since timestamptz not null default now()
);
insert into unsealed_read_models default values;
