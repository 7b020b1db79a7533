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
  -- of the content that is served
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
  -- Of the generation that is being built; null while none is.
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

-- The durable queue: at most one job for each source. The row stays until the work is whole.
create table knowledge_jobs (
  organization_id text not null,
  source_id uuid not null,
  -- Rises whenever the source changes: a worker that began with an older number begins again.
  wanted int not null default 1,
  -- What the holder began with, and the generation that it builds; null before the first claim.
  working_on int,
  generation int,
  -- True: what is served does not count, such as after another URL; nothing of it is asked for conditionally.
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

-- Whose turn it is: the organization that waited longest for the beginning of a job comes first.
create table knowledge_turns (
  organization_id text primary key,
  last_turn_at timestamptz not null
);

-- The pages of a generation: first the list of what is to be read, then what became of each.
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

-- What a search finds. Only the generation that knowledge_sources names is served.
create table knowledge_chunks (
  organization_id text not null,
  agent_id uuid not null,
  source_id uuid not null,
  generation int not null,
  -- Made of source, page, place and text: the same text at the same place has the same id in every generation.
  id uuid not null,
  page_id uuid not null,
  -- within its page
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

-- Sources with chunks to delete: of generations that are no longer served, or all of a deleted source.
create table knowledge_leftovers (
  organization_id text not null,
  source_id uuid not null,
  since timestamptz not null,
  primary key (organization_id, source_id)
);
create index knowledge_leftovers_since on knowledge_leftovers (since);

-- Agents as far as their sources are concerned: the number of the last announcement, and whether the agent was deleted.
-- A transaction that makes or deletes sources of an agent holds its row.
create table knowledge_agents (
  organization_id text not null,
  agent_id uuid not null,
  version int not null default 0,
  is_deleted boolean not null default false,
  primary key (organization_id, agent_id)
);

-- When the next request to a host may be sent: all copies together stay below the rate that a host is asked at.
create table knowledge_hosts (
  host text primary key,
  next_at timestamptz not null
);
