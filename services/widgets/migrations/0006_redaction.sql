-- expand, release 0.2.0
-- What the agent's configuration hides in the records of the conversation; null where it hides nothing.
alter table widget_sessions add column redaction jsonb;
-- The turn as it was said, sealed; null where nothing is hidden. The agent's next answer needs it. It is removed when the conversation
-- ends.
alter table widget_turns add column words text;
