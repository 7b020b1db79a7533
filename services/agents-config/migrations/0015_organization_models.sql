-- expand, release 0.2.0
-- Models and voices of organizations. Configurations name them as custom/<name>.
create table organization_models (
  id uuid primary key,
  organization_id text not null,
  -- without custom/
  name text not null,
  -- everything that readers see but the name, the secret and the times
  document jsonb not null,
  -- the secret with the server's key, and the origin that it was given for
  secret_id uuid,
  secret_origin text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint one_model_per_name unique (organization_id, name),
  check ((secret_id is null) = (secret_origin is null))
);
