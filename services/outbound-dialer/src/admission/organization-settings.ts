// What organizations have decided for all of their calls: kept from what agents-config announces, asked for when it was
// never heard of.
import { events, type VersionedSettings } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer, type Tx } from '@parlance/persistence';

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

/** The settings in force. @throws AppError SERVICE_UNAVAILABLE when nobody can say */
export const settingsOf = async (
  db: Tx,
  ask: AskSettings,
  organizationId: string,
): Promise<Omit<VersionedSettings, 'version'>> => {
  const { rows } = await db.query<{ settings: Omit<VersionedSettings, 'version'> }>({
    name: 'organization-settings',
    text: 'select settings from organization_settings where organization_id = $1',
    values: [organizationId],
  });
  if (rows[0] !== undefined) return rows[0].settings;
  const asked = await ask(organizationId);
  await keepSettings(db, organizationId, asked);
  return asked;
};

/** Starts at once. */
export const startSettingsConsumer = (
  options: Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'>,
): RunningPart =>
  startConsumer({
    ...options,
    durable: 'outbound-dialer-settings',
    events: [events.settingsChanged],
    handle: (tx, { organizationId, data }) => keepSettings(tx, organizationId, data),
  });
