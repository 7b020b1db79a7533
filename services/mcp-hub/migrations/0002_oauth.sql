-- OAuth of connections: the platform as a client, logins that have begun, and tokens.
create table mcp_oauth_clients (
  organization_id text not null,
  connection_id uuid not null references mcp_connections (id) on delete cascade,
  issuer text not null,
  -- a client is registered for one address that people are sent back to
  redirect_url text not null,
  -- { client_id, client_secret, token_endpoint_auth_method }
  sealed text not null,
  registered_at timestamptz not null,
  primary key (connection_id, issuer, redirect_url)
);

create table mcp_oauth_logins (
  -- SHA-256 of the state, in base64url
  state_hash text primary key,
  organization_id text not null,
  connection_id uuid not null references mcp_connections (id) on delete cascade,
  -- the person who began the login; null for an API key
  user_id text,
  -- { issuer, metadata, resource }
  source jsonb not null,
  redirect_url text not null,
  scope text,
  -- the client, and the verifier of PKCE
  sealed text not null,
  expires_at timestamptz not null
);
create index mcp_oauth_logins_of_connection on mcp_oauth_logins (connection_id);
create index mcp_oauth_logins_by_age on mcp_oauth_logins (expires_at);

-- Tokens outlive their connection, because they are revoked after it is gone.
create table mcp_oauth_tokens (
  id uuid primary key,
  organization_id text not null,
  connection_id uuid not null,
  issuer text not null,
  -- { issuer, metadata, resource }
  source jsonb not null,
  scope text,
  -- what a server asked for beyond the scope
  wanted_scope text,
  -- grows with every refresh
  version integer not null,
  -- the tokens and the client, bound to organization, connection and issuer
  sealed text not null,
  obtained_at timestamptz not null,
  expires_at timestamptz,
  refresh_at timestamptz,
  -- the authorization server gives no more tokens
  is_refused boolean not null default false,
  -- the refresh under way, and the time after which another one may begin
  lease uuid,
  leased_until timestamptz,
  -- the tokens are not used any more, and are to be revoked
  ended_at timestamptz,
  revoke_due_at timestamptz
);
create unique index one_token_set_in_use on mcp_oauth_tokens (connection_id) where ended_at is null;
create index mcp_oauth_tokens_of_organization on mcp_oauth_tokens (organization_id);
create index mcp_oauth_tokens_to_revoke on mcp_oauth_tokens (revoke_due_at) where ended_at is not null;
