-- expand, release 0.2.0
-- The cell of a refused row, sealed with the key of the campaign's stream, and the keyed hash of its last eight digits. `phone_number`
-- is null beside them. While replicas of the release before may run, rows still have `phone_number` alone.
alter table campaign_refused_rows add column sealed_cell text;
alter table campaign_refused_rows add column digits_hash text;
