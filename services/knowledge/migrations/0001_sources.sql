-- Knowledge sources, the work of reading them, and the chunks that a search finds.
create table knowledge_sources (
  organization_id text not null,
  id uuid not null,
  agent_id uuid not null,
  type text not null check (type in ('url', 'file')),
  name text not null,
  url text,
  file_key text,
  file_name text,
  mime_type text,
  size_bytes bigint,
  -- the hash of the content that is served
  content_hash text,
  status text not null check (status in ('pending', 'processing', 'ready', 'failed', 'reprocessing')),
  error_code text,
  error_message text,
  usage_mode text not null check (usage_mode in ('auto', 'prompt')),
  -- The generation of chunks that is served; 0 before the first one is whole.
  generation int not null default 0,
  -- The last generation that was begun. A number is never used twice.
  last_generation int not null default 0,
  chunk_count int not null default 0,
  char_count int not null default 0,
  embedding_model text,
  -- The progress of the generation that is being built; null while none is being built.
  pages_found int,
  pages_done int,
  chunks_done int,
  -- null for a file
  crawl_mode text check (crawl_mode in ('page', 'sitemap', 'site')),
  max_pages int,
  refresh_interval_hours int,
  next_refresh_at timestamptz,
  last_ingested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index knowledge_sources_of_agent on knowledge_sources (organization_id, agent_id, created_at, id);
create index knowledge_sources_due on knowledge_sources (next_refresh_at) where next_refresh_at is not null;

-- The durable queue: at most one job for each source. The row stays until the job has succeeded or failed.
create table knowledge_jobs (
  organization_id text not null,
  source_id uuid not null,
  -- Rises whenever the source changes: a worker that began with an older number begins again.
  wanted int not null default 1,
  -- The value of wanted at the last claim, and the generation that the holder builds; null before the first claim.
  working_on int,
  generation int,
  -- True: the served generation is not compared, such as after a change of the URL. Requests are then unconditional.
  is_fresh boolean not null default true,
  -- Fencing token: rises with every claim. A write with an older one changes nothing.
  fence bigint not null default 0,
  claimed_until timestamptz,
  tries int not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, source_id)
);
create index knowledge_jobs_due on knowledge_jobs (organization_id, next_try_at, created_at);

-- The turns of organizations: the organization that waited longest for the beginning of a job comes first.
create table knowledge_turns (
  organization_id text primary key,
  last_turn_at timestamptz not null
);

-- The pages of a generation: first the list of the pages to read, then the result of each page.
create table knowledge_pages (
  organization_id text not null,
  source_id uuid not null,
  generation int not null,
  id uuid not null,
  -- in the order in which pages were found
  ordinal int not null,
  -- null for a file
  url text,
  depth int not null default 0,
  -- found, read, kept (unchanged since the generation that is served) or left out (not readable, refused, a copy of another)
  state text not null default 'found' check (state in ('found', 'read', 'kept', 'left_out')),
  etag text,
  last_modified text,
  content_hash text,
  -- the links of the page, for a later generation that finds it unchanged
  links text[] not null default '{}',
  mime_type text,
  size_bytes bigint,
  char_count int not null default 0,
  chunk_count int not null default 0,
  -- why a page was left out
  error_code text,
  error_message text,
  primary key (organization_id, source_id, generation, id)
);
create index knowledge_pages_open on knowledge_pages (organization_id, source_id, generation, ordinal);

-- The chunks that a search finds. Only the generation that knowledge_sources names is served.
create table knowledge_chunks (
  organization_id text not null,
  agent_id uuid not null,
  source_id uuid not null,
  generation int not null,
  -- Made of source, page, place and text: the same text at the same place has the same id in every generation.
  id uuid not null,
  page_id uuid not null,
  -- the place of the chunk within its page
  ordinal int not null,
  url text,
  headings text[] not null,
  text text not null,
  -- offsets in the text of the page, in UTF-16 code units as JavaScript counts them
  start_offset int not null,
  end_offset int not null,
  token_count int not null,
  -- a Postgres text search configuration, such as english; simple when the language is unknown
  language text not null,
  primary key (organization_id, source_id, generation, id)
);

-- Sources with chunks to delete: the chunks of replaced generations, or all chunks of a deleted source.
create table knowledge_leftovers (
  organization_id text not null,
  source_id uuid not null,
  since timestamptz not null,
  primary key (organization_id, source_id)
);
create index knowledge_leftovers_since on knowledge_leftovers (since);

-- The state of agents: the number of the last announcement of their sources, and whether the agent was deleted.
-- A transaction that makes or deletes sources of an agent holds the row of the agent.
create table knowledge_agents (
  organization_id text not null,
  agent_id uuid not null,
  version int not null default 0,
  is_deleted boolean not null default false,
  primary key (organization_id, agent_id)
);

-- The time of the next request to each host: all copies of the service together keep to the rate for one host.
create table knowledge_hosts (
  host text primary key,
  next_at timestamptz not null
);
