-- expand, release 0.1.0
-- Sources tell more about their reading: the try that failed last, the parts of a page to read, and what could not be read.
alter table knowledge_jobs add column error_code text, add column error_message text, add column max_tries int;
alter table knowledge_sources
  -- aside, footer
  add column include text[] not null default '{}',
  -- of the generation that is served: [{ code, message, url }]
  add column warnings jsonb not null default '[]';
alter table knowledge_pages
  -- The version of the reader. Pages of an older version are not compared with their present content.
  add column reader_version int not null default 1,
  add column warnings jsonb not null default '[]';
-- text around a short passage, for the model; null where there is none
alter table knowledge_chunks add column context text;
-- Files that an older version of the reader has read are read again.
create index knowledge_pages_of_files on knowledge_pages (reader_version) where url is null and state = 'read';
