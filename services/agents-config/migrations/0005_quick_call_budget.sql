-- The most that all quick calls of one day may cost together, as `{"maxCostMicros": 5000000}`; null: no budget of its
-- own.
alter table organization_settings add column quick_call_budget jsonb;
