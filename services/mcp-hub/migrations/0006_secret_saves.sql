-- expand, release 0.2.0
-- Saves that mention secrets, from before tools-secrets notes the mentions until they are committed.
create table secret_saves (
  id uuid primary key,
  organization_id text not null,
  user_type text not null,
  user_id text not null,
  -- The body of the request: the resource, the mentions, and where they are sent.
  secrets jsonb not null,
  -- The save must be committed by then.
  until timestamptz not null
);
create index secret_saves_of_resource on secret_saves (organization_id, user_type, user_id);
create index secret_saves_by_end on secret_saves (until);
