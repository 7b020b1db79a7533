// Seals what is still in the clear, and erases calls and campaigns that are older than their organization keeps conversations. Any number of replicas share the
// organizations; each organization has its turn once an hour.
import type { PersonalData } from '@parlance/crypto';
import type { EventStoreConnection } from '@parlance/event-sourcing';
import type { ObjectStorage } from '@parlance/object-storage';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, inLocked } from '@parlance/postgres';
import { type AskSettings, settingsOf } from '../limits/organization-settings.js';
import { forgetCalls } from '../personal-data/forget-calls.js';
import { forgetCampaign } from '../personal-data/forget-campaigns.js';
import type { RecipientForm } from '../personal-data/recipient-form.js';
import { sealCampaigns } from '../personal-data/seal-campaigns.js';
import { sealOldCalls } from './seal-old-calls.js';

export interface RetentionParts {
  readonly db: Database;
  readonly eventStore: Pick<EventStoreConnection, 'driver'>;
  readonly personalData: PersonalData;
  readonly recipientForm: RecipientForm;
  readonly storage: Pick<ObjectStorage, 'delete'> | undefined;
  readonly askSettings: AskSettings;
  /** Days for organizations that chose none. */
  readonly defaultDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 5 * 60_000;
const roundEvery = "interval '1 hour'";
const callsAtOnce = 500;
const campaignsAtOnce = 50;
const dayMs = 24 * 60 * 60 * 1_000;

/** Each organization costs one look at an index, however many calls it has. */
const noteOrganizations = async (db: Database, now: Date): Promise<void> => {
  await db.query(
    `with recursive known as (
       (select organization_id from outbound_calls order by organization_id limit 1)
       union all
       select (select c.organization_id from outbound_calls c where c.organization_id > known.organization_id
               order by c.organization_id limit 1)
       from known where known.organization_id is not null)
     insert into retention_rounds (organization_id, next_at)
     select organization_id, $1::timestamptz from known where organization_id is not null
     union select distinct organization_id, $1::timestamptz from campaigns where state -> 'personal' <> 'null'::jsonb
     on conflict do nothing`,
    [now.toISOString()],
  );
};

/** The next organization whose turn has come. Should this replica end in its turn, the turn comes again in an hour. */
const nextOrganization = async (db: Database, now: Date): Promise<string | undefined> => {
  const { rows } = await db.query<{ organizationId: string }>(
    `update retention_rounds set next_at = $1::timestamptz + ${roundEvery}
     where ${inLocked({ table: 'retention_rounds', where: 'next_at <= $1', order: 'next_at' }, 1)}
     returning organization_id as "organizationId"`,
    [now.toISOString()],
  );
  return rows[0]?.organizationId;
};

/** Operators of releases without a retention have so much time to choose one before anything of before is erased. */
const graceMs = 30 * dayMs;

/** The end of that time; null for an installation that began with a retention. */
const graceEnds = async (db: Database): Promise<Date | null> => {
  const { rows } = await db.query<{ at: Date }>(
    `select own.applied_at as at from schema_migrations own
     join schema_migrations first on first.name = '0001_outbound_calls.sql'
       and first.applied_at < own.applied_at - interval '1 hour'
     where own.name = '0015_erasure.sql'`,
  );
  const [upgraded] = rows;
  return upgraded === undefined ? null : new Date(upgraded.at.getTime() + graceMs);
};

/** Null while nothing is erased yet. */
const daysOf = async (
  { db, askSettings, defaultDays, clock }: RetentionParts,
  organizationId: string,
): Promise<number | null> => {
  await settingsOf(db, askSettings, organizationId, clock.now());
  const { rows } = await db.query<{ days: number | null }>(
    `select (settings ->> 'callRetentionDays')::int as days from organization_settings where organization_id = $1`,
    [organizationId],
  );
  const chosen = rows[0]?.days;
  if (chosen != null) return chosen;
  const ends = await graceEnds(db);
  return ends !== null && clock.now() < ends ? null : defaultDays;
};

interface OldCall {
  readonly id: string;
  readonly createdAt: string;
  readonly isOver: boolean;
  readonly isErased: boolean;
}

const oldCalls = async (
  db: Database,
  organizationId: string,
  before: Date,
  after: { readonly createdAt: string | null; readonly id: string },
): Promise<OldCall[]> => {
  const { rows } = await db.query<OldCall>(
    `select id, created_at::text as "createdAt", personal is null and state -> 'personal' = 'null'::jsonb as "isErased",
       phase = 'ended' and not hang_up and updated_at < $2 as "isOver"
     from outbound_calls
     where organization_id = $1 and created_at < $2
       and ($3::timestamptz is null or (created_at, id) > ($3::timestamptz, $4::uuid))
     order by created_at, id limit ${callsAtOnce}`,
    [organizationId, before.toISOString(), after.createdAt, after.id],
  );
  return rows;
};

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Erases the old calls of an organization, and keeps the time up to which all are erased. A call that a person ordered again lately
 * holds that time up until it is old itself.
 */
const eraseOldCalls = async (
  parts: RetentionParts,
  organizationId: string,
  before: Date,
  stopping: AbortSignal,
): Promise<number> => {
  const { db } = parts;
  const { rows } = await db.query<{ callsBefore: string | null }>(
    'select calls_before::text as "callsBefore" from retention_rounds where organization_id = $1',
    [organizationId],
  );
  let after = { createdAt: rows[0]?.callsBefore ?? null, id: firstId };
  let kept: string | undefined;
  let erased = 0;
  while (!stopping.aborted) {
    const found = await oldCalls(db, organizationId, before, after);
    const due = found.filter(({ isOver, isErased }) => isOver && !isErased).map(({ id }) => id);
    await forgetCalls(parts, due);
    erased += due.length;
    kept ??= found.find(({ isOver, isErased }) => !isOver && !isErased)?.createdAt;
    const last = found.at(-1);
    if (last === undefined || found.length < callsAtOnce) break;
    after = { createdAt: last.createdAt, id: last.id };
  }
  if (!stopping.aborted)
    await db.query('update retention_rounds set calls_before = $2 where organization_id = $1', [
      organizationId,
      kept ?? before.toISOString(),
    ]);
  return erased;
};

const eraseOldCampaigns = async (
  parts: RetentionParts,
  organizationId: string,
  before: Date,
  stopping: AbortSignal,
): Promise<number> => {
  let erased = 0;
  while (!stopping.aborted) {
    const { rows } = await parts.db.query<{ id: string }>(
      `select id from campaigns where organization_id = $1 and updated_at < $2 and state -> 'personal' <> 'null'::jsonb
         and status in ('completed', 'cancelled', 'failed') order by updated_at limit ${campaignsAtOnce}`,
      [organizationId, before.toISOString()],
    );
    for (const { id } of rows) await forgetCampaign(parts, id);
    erased += rows.length;
    if (rows.length < campaignsAtOnce) break;
  }
  return erased;
};

const keepRetention = async (
  parts: RetentionParts,
  organizationId: string,
  stopping: AbortSignal,
): Promise<void> => {
  const { clock, logger } = parts;
  while (!stopping.aborted && !(await sealOldCalls(parts, organizationId)));
  await sealCampaigns(parts, organizationId, stopping);
  const days = await daysOf(parts, organizationId);
  if (days === null) return;
  const before = new Date(clock.now().getTime() - days * dayMs);
  const outboundCalls = await eraseOldCalls(parts, organizationId, before, stopping);
  const campaigns = await eraseOldCampaigns(parts, organizationId, before, stopping);
  if (outboundCalls + campaigns > 0)
    logger.info({ organizationId, outboundCalls, campaigns }, 'expired calls and campaigns erased');
};

export const retentionRound = async (parts: RetentionParts, stopping: AbortSignal): Promise<void> => {
  const { db, clock, logger } = parts;
  await noteOrganizations(db, clock.now());
  while (!stopping.aborted) {
    const organizationId = await nextOrganization(db, clock.now());
    if (organizationId === undefined) return;
    // An organization whose settings cannot be read does not hold up the others.
    await keepRetention(parts, organizationId, stopping).catch((err: unknown) =>
      logger.warn({ organizationId, err }, 'retention of calls deferred'),
    );
  }
};

export const startRetention = (parts: RetentionParts): RunningPart =>
  startRounds({
    name: 'retention of calls',
    everyMs,
    logger: parts.logger,
    round: (stopping) => retentionRound(parts, stopping),
  });
