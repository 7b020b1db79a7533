-- The search index. A segment holds the words, names and vectors of at most some hundred chunks of one generation. A segment
-- never changes, and is deleted with its generation.
create table knowledge_segments (
  id bigint generated always as identity primary key,
  organization_id text not null,
  agent_id uuid not null,
  source_id uuid not null,
  generation int not null,
  number int not null,
  chunk_count int not null,
  -- of all chunks together, in terms
  total_length int not null,
  -- text search configurations of its chunks
  languages text[] not null,
  -- Postings, names and vectors name a chunk by its place in this list, beginning at 0.
  chunk_ids uuid[] not null,
  -- terms of each chunk
  lengths int[] not null,
  -- a name as it sounds, and the places of the chunks that mention it
  names jsonb not null,
  -- null where no embeddings were configured
  model text,
  dimensions int,
  -- of each chunk in turn, float4 in little-endian order
  vectors bytea,
  unique (organization_id, source_id, generation, number)
);
-- One vector is read without the others, which compression would prevent.
alter table knowledge_segments alter column vectors set storage external;
create index knowledge_segments_of_agent on knowledge_segments (organization_id, agent_id);

-- Where in a segment a term occurs, and how often: for each chunk, in order, an int4 of its place * 256 + occurrences.
create table knowledge_postings (
  segment_id bigint not null references knowledge_segments on delete cascade,
  term text not null,
  chunks bytea not null,
  primary key (segment_id, term)
);

-- Calls that ended a short time ago. Their tokens are good for longer than their runtimes may search.
create table ended_calls (
  organization_id text not null,
  call_id text not null,
  ended_at timestamptz not null,
  primary key (organization_id, call_id)
);
create index ended_calls_by_age on ended_calls (ended_at);
