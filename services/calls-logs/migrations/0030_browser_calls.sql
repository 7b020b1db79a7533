-- expand, release 0.2.0
-- Contexts of calls in rooms that browsers join, from the admission of the session until two days later. The room names its call alone.
create table browser_calls (
  call_id text primary key,
  organization_id text not null,
  -- A CallContext of the contract, sealed.
  context text not null,
  stored_at timestamptz not null default now()
);
create index browser_calls_of_organization on browser_calls (organization_id);
create index browser_calls_stored on browser_calls (stored_at);
