-- expand, release 0.1.0
-- The distinct terms of a segment. Null in segments that an older release wrote; their terms are read from their postings.
alter table knowledge_segments add column terms jsonb;
-- Similar words replace the names. A replica of the release before finds no misheard names in newer segments.
alter table knowledge_segments alter column names set default '{}';
