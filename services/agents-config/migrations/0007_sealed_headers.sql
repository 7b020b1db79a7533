-- Literal header values of webhooks are stored sealed. Versions that an older release saved hold them in clear, and are
-- sealed by the service after its start.
alter table agent_configurations add column headers_sealed boolean not null default false;
create index agent_configurations_to_seal on agent_configurations (agent_id, version) where not headers_sealed;
