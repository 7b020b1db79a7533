-- expand, release 0.1.0
-- A conversation in text by which somebody of the organization tries an agent has no widget. Its end token is a digest of that person.
alter table widget_sessions alter column widget_id drop not null;
-- the agent that is tried; null for the session of a widget
alter table widget_sessions add column tried_agent_id uuid;
create index widget_sessions_of_tried_agent on widget_sessions (organization_id, tried_agent_id) where tried_agent_id is not null;
