// Running campaigns with recipients whose turn has come: the time since each has dialled or could have begun to.
import type { Database } from '@parlance/postgres';
import type { WaitReason } from '../campaigns/campaign-waits.js';

interface StalledRow {
  readonly id: string;
  /** The wait, in seconds. */
  readonly seconds: number;
  /** The organization has a call that rings or talks. */
  readonly isTalking: boolean;
}

/**
 * A dial counts from its recorded end or from its answer. It also counts once it rings for longer than an attempt may take
 * to its dial. An attempt that was given up before its dial is none. Of each campaign, the last hundred changes are looked
 * at.
 */
const statement = `
  select g.id, extract(epoch from clock_timestamp() - greatest(dialled.at, due.at,
      coalesce((g.state->'resumed'->>'at')::timestamptz, (g.state->>'startedAt')::timestamptz, g.updated_at)))::float8 as seconds,
    exists (select from outbound_calls o where o.organization_id = g.organization_id and o.phase in ('dialing', 'connected'))
      or exists (select from browser_places b where b.organization_id = g.organization_id and b.given_back_at is null
        and b.until > clock_timestamp()) as "isTalking"
  from campaigns g
  cross join lateral (
    select min(since) as at from (
      (select '-infinity'::timestamptz as since from campaign_recipients
       where campaign_id = g.id and state = 'pending' and not_before is null limit 1)
      union all
      (select not_before from campaign_recipients
       where campaign_id = g.id and state = 'pending' and not_before <= clock_timestamp() order by not_before limit 1)
      union all
      (select claimed_until from campaign_recipients
       where campaign_id = g.id and state = 'queued' and claimed_until <= clock_timestamp() order by claimed_until limit 1)
    ) as waiting) as due
  cross join lateral (
    select max(updated_at) as at from (
      select phase, updated_at, state from outbound_calls where campaign_id = g.id order by updated_at desc limit 100) as latest
    where phase in ('connected', 'ended')
      or (phase = 'dialing' and updated_at < clock_timestamp() - interval '10 seconds')
      or (phase = 'queued' and state->'past'->-1 is not null and state->'past'->-1->'isAbandoned' is null)) as dialled
  where g.status = 'running' and due.at is not null
    and not exists (select from campaign_stops s where s.campaign_id = g.id)`;

/** The longest wait of a campaign by its reason, in seconds. */
export const longestWaits = async (
  db: Database,
  reasonOf: (campaignId: string) => WaitReason,
): Promise<ReadonlyMap<WaitReason, number>> => {
  const { rows } = await db.atOnce.query<StalledRow>({ name: 'gauge-campaigns-stalled', text: statement });
  const longest = new Map<WaitReason, number>();
  for (const { id, seconds, isTalking } of rows) {
    const seen = reasonOf(id);
    // Places that no call takes are held by a dialer that hangs.
    const reason = seen === 'places' && !isTalking ? 'unknown' : seen;
    longest.set(reason, Math.max(longest.get(reason) ?? 0, seconds));
  }
  return longest;
};
