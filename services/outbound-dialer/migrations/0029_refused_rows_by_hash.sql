-- expand, release 0.2.0
-- The refused rows whose cells end like one number.
create index concurrently campaign_refused_rows_by_hash on campaign_refused_rows (organization_id, digits_hash) where digits_hash is not null;
