-- What became of a campaign's file: put down when its recipients are all there, or none, and before its stream is told.
-- Whoever takes over from there tells the same and touches no recipient.
alter table file_claims add column outcome jsonb;
