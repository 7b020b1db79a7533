-- expand, release 0.2.0
-- Outbound calls that were deleted by their id. Streams cannot be edited, and a rebuilt read model has the row again; this table hides it.
-- Owned.
create table deleted_outbound_calls (
  outbound_call_id uuid primary key,
  organization_id text not null,
  deleted_by text not null,
  deleted_at timestamptz not null,
  -- the request that deleted it: a repetition of it succeeds, any other request finds no call
  command_id text not null,
  -- when what is left of it is erased next; null once nothing can come back
  erase_at timestamptz,
  erased_at timestamptz,
  tries int not null default 0
);
create index deleted_outbound_calls_due on deleted_outbound_calls (erase_at) where erase_at is not null;
create index deleted_outbound_calls_of_organization on deleted_outbound_calls (organization_id);
