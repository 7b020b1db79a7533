-- expand, release 0.2.0
-- Whether an organization may begin something, for a statement that begins it. The statements of the function see what was committed
-- while it waited for the lock; a part of the calling statement would not.
create function organization_is_open(organization text) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('organization:' || organization, 0));
  return not exists (
    select from organization_closures
     where organization_id = organization and state in ('closed', 'removed'));
end
$$;
