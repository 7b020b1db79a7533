-- expand, release 0.1.0
-- Messages in a version that this release does not know, left to copies of a newer one. The broker counts these deliveries
-- too, and they are no tries: without this table, the copy that was upgraded would park an event that it could handle.
create table messages_left (
  consumer text not null,
  -- place in the stream of events
  sequence bigint not null,
  times integer not null,
  primary key (consumer, sequence)
);
