-- Connections to MCP servers mention secrets too, so a check names the type of the resource that it asks about.
alter table secret_reference_checks rename column agent_id to user_id;
alter table secret_reference_checks add column user_type text not null default 'agent';
alter table secret_reference_checks alter column user_type drop default;
alter table secret_reference_checks drop constraint secret_reference_checks_pkey;
alter table secret_reference_checks add primary key (organization_id, user_type, user_id);
