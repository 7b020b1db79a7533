-- expand, release 0.1.0
-- Rows of campaigns' files that cannot be called, each with its reason. Owned, as the recipients are. They stay when the
-- whole file is refused.
create table campaign_refused_rows (
  campaign_id uuid not null,
  -- as a person sees it in the file: the header is row 1
  row_number int not null,
  organization_id text not null,
  -- the cell of the file; null where it is empty
  phone_number text,
  code text not null,
  -- a sentence for a person
  message text not null,
  refused_at timestamptz not null default now(),
  primary key (campaign_id, row_number)
);
