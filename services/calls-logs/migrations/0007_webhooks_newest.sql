-- expand, release 0.1.0
create index concurrently webhook_deliveries_newest on webhook_deliveries (organization_id, created_at desc, id desc) where not forgotten
