-- expand, release 0.2.0
-- The account of the operator: the first one of the installation. The row stays when the account goes, so that no other account
-- takes its place.
create table operator_accounts (
  user_id text primary key
);

-- Who owned which organization. The rows stay when an organization is removed or an owner leaves: limits that the operator set for
-- an organization hold for the next ones of its owners.
create table organization_owners (
  organization_id text not null,
  user_id text not null,
  primary key (user_id, organization_id)
);
