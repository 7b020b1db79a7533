-- expand, release 0.1.0
-- The arguments of an execution as the record of its call shows them: sensitive ones masked, long ones shortened. Like the
-- answer, they are kept for ten minutes.
alter table tool_runs add column shown_arguments json;
