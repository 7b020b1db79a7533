-- expand, release 0.2.0
-- Whether a time zone that a campaign or a row of its file names narrows the hours in which a person is called, or replaces the
-- zones of the number.
alter table organization_settings add column named_timezones text not null default 'narrow'
  constraint organization_settings_named_timezones check (named_timezones in ('narrow', 'replace'));
