// Deletes calls whose retention has passed: of each organization so many at a time, the oldest first. What is deleted is erased
// like a call that a person deletes.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import pLimit from 'p-limit';
import type { Calls } from '../call/call-repository.js';
import { deleteCall, retentionActor } from '../erasure/delete-call.js';

export interface CallRetentionOptions {
  readonly db: Database;
  readonly calls: Pick<Calls, 'handle'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For organizations that have not chosen. */
  readonly defaultDays: number;
}

const dayMs = 24 * 60 * 60_000;
/** Calls of before there was a retention are kept for so long from then on. */
const noticeDays = 30;
const callsAtOnce = 100;
/** A round deletes no more of one organization, so that the others have their turn. */
const callsPerRound = 1_000;
const abreast = 4;
const everyMs = 10 * 60_000;

/** Every organization with calls: one step in the index for each, however many calls there are. */
const organizations = async (db: Database): Promise<readonly string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `with recursive known (id) as (
       select min(organization_id) from call_index where deleted_at is null
       union all
       select (select min(organization_id) from call_index where organization_id > known.id and deleted_at is null)
       from known where known.id is not null)
     select id from known where id is not null`,
  );
  return rows.map(({ id }) => id);
};

/** Calls that ended before this moment are deleted. */
const endOfRetention = async (
  { db, clock, defaultDays }: CallRetentionOptions,
  organizationId: string,
): Promise<Date> => {
  const { rows } = await db.query<{ days: number | null }>(
    'select call_retention_days as days from organization_settings where organization_id = $1',
    [organizationId],
  );
  return new Date(clock.now().getTime() - (rows[0]?.days ?? defaultDays) * dayMs);
};

interface OldCall {
  readonly call_id: string;
  readonly started_at: Date;
}

/** In the order of the index, so that a call which the index shows a moment longer than it exists is not found twice. */
const oldCalls = async (
  { db, clock }: CallRetentionOptions,
  { organizationId, before, after }: { organizationId: string; before: Date; after: OldCall | undefined },
): Promise<readonly OldCall[]> => {
  const { rows } = await db.query<OldCall>({
    name: 'calls-past-retention',
    text: `select call_id, started_at from call_index
           where organization_id = $1 and deleted_at is null and started_at < $2
             and (started_at, call_id) > ($4, $5)
             and phase = 'ended' and ended_at < $2
             and (ended_at >= (select since from call_retention_start)
               or $3 >= (select since + interval '${noticeDays} days' from call_retention_start))
           order by started_at, call_id limit ${callsAtOnce}`,
    values: [organizationId, before, clock.now(), after?.started_at ?? '-infinity', after?.call_id ?? ''],
  });
  return rows;
};

/** @returns the number of deleted calls */
const deleteOfOrganization = async (
  options: CallRetentionOptions,
  organizationId: string,
  stopping: AbortSignal,
): Promise<number> => {
  const before = await endOfRetention(options, organizationId);
  const limit = pLimit(abreast);
  const now = options.clock.now().toISOString();
  const requestOf = ({ call_id: callId }: OldCall) => ({
    organizationId,
    callId,
    by: retentionActor,
    requestId: `retention:${callId}`,
    now,
  });
  let deleted = 0;
  let after: OldCall | undefined;
  do {
    const found = await oldCalls(options, { organizationId, before, after });
    after = found.at(-1);
    const done = await Promise.all(
      found.map((call) => limit(() => deleteCall(options.calls, requestOf(call)))),
    );
    deleted += done.filter(Boolean).length;
    if (found.length < callsAtOnce) break;
  } while (deleted < callsPerRound && !stopping.aborted);
  return deleted;
};

/** @returns the number of deleted calls */
export const deleteOldCalls = async (
  options: CallRetentionOptions,
  stopping: AbortSignal = new AbortController().signal,
): Promise<number> => {
  let deleted = 0;
  for (const organizationId of await organizations(options.db)) {
    if (stopping.aborted) break;
    deleted += await deleteOfOrganization(options, organizationId, stopping);
  }
  return deleted;
};

/** Starts at once. */
export const startCallRetention = (options: CallRetentionOptions): RunningPart =>
  startRounds({
    name: 'retention of calls',
    everyMs,
    logger: options.logger,
    round: async (stopping) => {
      const deleted = await deleteOldCalls(options, stopping);
      if (deleted > 0) options.logger.info({ deleted }, 'calls past their retention deleted');
    },
  });
