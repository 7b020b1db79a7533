// The settings of organizations for all of their calls, bounded by the operator's limits. They are kept from the
// announcements of agents-config, and asked for when no announcement has come.
import { eventConsumers, type VersionedSettings } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer, type Tx } from '@parlance/postgres';
import { type LimitRow, limitColumns, limitsIn, type OperatorLimits } from '../limits/operator-limits.js';

type Chosen = Omit<VersionedSettings, 'version'>;

/** The settings that an organization chose, within the operator's limits. */
export interface SettingsInForce extends Chosen {
  /** The only countries that may be called, against all other rules; null where the operator set no limit. */
  readonly operatorCountries: readonly string[] | null;
}

export type AskSettings = (organizationId: string) => Promise<VersionedSettings>;

/** Announcements may come late: an older version never replaces a newer one, and none outlives its organization. */
export const keepSettings = async (
  db: Tx,
  organizationId: string,
  { version, ...settings }: VersionedSettings,
): Promise<void> => {
  await db.query(
    `insert into organization_settings as known (organization_id, version, settings)
     select $1, $2, $3 where not exists (
       select from organization_closures where organization_id = $1 and state = 'removed')
     on conflict (organization_id) do update set version = excluded.version, settings = excluded.settings
     where known.version < excluded.version`,
    [organizationId, version, JSON.stringify(settings)],
  );
};

const bounded = (chosen: Chosen, { concurrentCalls, countries }: OperatorLimits): SettingsInForce => ({
  ...chosen,
  maxConcurrentCalls: Math.min(chosen.maxConcurrentCalls, concurrentCalls ?? chosen.maxConcurrentCalls),
  operatorCountries: countries,
});

/**
 * The settings in force. @throws AppError SERVICE_UNAVAILABLE when the settings have never been read and cannot be
 * asked for
 */
export const settingsOf = async (
  db: Tx,
  ask: AskSettings,
  organizationId: string,
): Promise<SettingsInForce> => {
  const { rows } = await db.query<LimitRow & { readonly settings: Chosen | null }>({
    name: 'organization-settings',
    text: `select (select settings from organization_settings where organization_id = $1) as settings, ${limitColumns}`,
    values: [organizationId],
  });
  const limits = limitsIn(rows[0]);
  const known = rows[0]?.settings;
  if (known != null) return bounded(known, limits);
  const { version, ...asked } = await ask(organizationId);
  await keepSettings(db, organizationId, { ...asked, version });
  return bounded(asked, limits);
};

/** Starts at once. */
export const startSettingsConsumer = (
  options: Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'>,
): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['outbound-dialer'].settings,
    handle: (tx, { organizationId, data }) => keepSettings(tx, organizationId, data),
  });
