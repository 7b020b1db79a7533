// The settings of organizations that calls-logs needs: their time zone and the retention of their calls, from the events of
// agents-config. A request to agents-config fills in an organization of before this database existed.
import { eventConsumers, events, serviceRequests, type VersionedSettings } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import type { RunningPart } from '@parlance/observability';
import {
  type ConsumedEvent,
  type ConsumerOptions,
  type Database,
  startConsumer,
  type Tx,
} from '@parlance/postgres';
import type { Parts } from '../parts.js';

const defaultTimezone = 'UTC';

type KnownSettings = Pick<VersionedSettings, 'version' | 'timezone' | 'callRetentionDays'>;

const keep = async (
  tx: Tx,
  organizationId: string,
  { version, timezone, callRetentionDays }: KnownSettings,
): Promise<void> => {
  await tx.query(
    `insert into organization_settings as known (organization_id, version, timezone, call_retention_days)
     select $1, $2, $3, $4 where not exists (
       select from organization_closures where organization_id = $1 and state = 'removed')
     on conflict (organization_id) do update set version = excluded.version, timezone = excluded.timezone,
       call_retention_days = excluded.call_retention_days
     where known.version < excluded.version`,
    [organizationId, version, timezone, callRetentionDays ?? null],
  );
};

/** Announcements may come late: an older version never replaces a newer one, and none outlives its organization. */
export const keepSettings = (
  tx: Tx,
  { organizationId, data }: ConsumedEvent<typeof events.settingsChanged>,
): Promise<void> => keep(tx, organizationId, data);

export interface Timezones extends Pick<Parts, 'rpc' | 'callerFor'> {
  readonly db: Database;
}

const ask = async (
  { rpc, callerFor }: Timezones,
  organizationId: string,
  requestId: string,
): Promise<KnownSettings | undefined> => {
  try {
    const caller = callerFor(organizationId);
    return (await rpc.call(serviceRequests.settingsOf, { body: {} }, { caller, requestId })).data;
  } catch (error) {
    if (error instanceof AppError && errorCodes[error.code].retryable === true) return undefined;
    throw error;
  }
};

/** The organization's time zone; UTC until it chooses one, and while agents-config does not answer. */
export const timezoneOf = async (
  parts: Timezones,
  organizationId: string,
  requestId: string,
): Promise<string> => {
  const { rows } = await parts.db.query<{ timezone: string }>({
    name: 'timezone',
    text: 'select timezone from organization_settings where organization_id = $1',
    values: [organizationId],
  });
  if (rows[0] !== undefined) return rows[0].timezone;
  if (organizationId === '') return defaultTimezone;
  const told = await ask(parts, organizationId, requestId);
  if (told !== undefined) await keep(parts.db, organizationId, told);
  return told?.timezone ?? defaultTimezone;
};

/** Starts at once. */
export const startSettingsConsumer = (
  options: Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'>,
): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['calls-logs'].settings,
    handle: keepSettings,
  });
