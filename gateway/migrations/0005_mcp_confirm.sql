-- Whether a key confirms over MCP what costs money or destroys something. The maker of the key chooses it with the key.
alter table api_key_facts
  add column mcp_confirm text not null default 'always' check (mcp_confirm in ('always', 'never'));
