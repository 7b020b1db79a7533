// The settings of organizations that calls-logs needs: their time zone, kept from what agents-config announces.
import { events } from '@parlance/contracts';
import type { RunningPart } from '@parlance/observability';
import { type ConsumedEvent, type ConsumerOptions, startConsumer, type Tx } from '@parlance/persistence';

const defaultTimezone = 'UTC';

/** Announcements may come late: an older version never replaces a newer one. */
export const keepSettings = async (
  tx: Tx,
  { organizationId, data }: ConsumedEvent<typeof events.settingsChanged>,
): Promise<void> => {
  await tx.query(
    `insert into organization_settings as known (organization_id, version, timezone) values ($1, $2, $3)
     on conflict (organization_id) do update set version = excluded.version, timezone = excluded.timezone
     where known.version < excluded.version`,
    [organizationId, data.version, data.timezone],
  );
};

/** The organization's time zone; UTC until it chooses one. */
export const timezoneOf = async (tx: Tx, organizationId: string): Promise<string> => {
  const { rows } = await tx.query<{ timezone: string }>({
    name: 'timezone',
    text: 'select timezone from organization_settings where organization_id = $1',
    values: [organizationId],
  });
  return rows[0]?.timezone ?? defaultTimezone;
};

/** Starts at once. */
export const startSettingsConsumer = (
  options: Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'>,
): RunningPart =>
  startConsumer({
    ...options,
    durable: 'calls-logs-settings',
    events: [events.settingsChanged],
    handle: keepSettings,
  });
