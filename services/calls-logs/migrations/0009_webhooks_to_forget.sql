-- expand, release 0.1.0
create index concurrently webhook_deliveries_old on webhook_deliveries (created_at) where not forgotten and status in ('delivered', 'dead')
