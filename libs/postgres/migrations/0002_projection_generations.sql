-- Read models are made anew beside the one that is being read, and then take its place.

-- `generation` says which copy of a read model's collections is the one that is read; `fence` changes when somebody other
-- than the projection has touched its checkpoint or what it had set aside, so that it reads both again.
alter table projection_checkpoints
  add column generation integer not null default 0,
  add column fence integer not null default 0;
