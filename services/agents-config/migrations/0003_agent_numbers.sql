-- Which numbers an agent answers, as telephony-numbers told it. A number that nobody answers stays here with its version,
-- so that what was told earlier and comes later changes nothing.
create table agent_numbers (
  number_id uuid primary key,
  organization_id text not null,
  -- null: nobody answers it
  agent_id uuid,
  phone_number text not null,
  version integer not null
);
create index agent_numbers_of_agent on agent_numbers (agent_id) where agent_id is not null;
