// The settings of organizations for all of their calls, bounded by the operator's limits. They are kept from the
// announcements of agents-config, and asked for when no announcement has come.
import { eventConsumers, type VersionedSettings } from '@parlance/contracts';
import type { Clock, RunningPart } from '@parlance/observability';
import { type ConsumerOptions, startConsumer, type Tx } from '@parlance/postgres';
import { type DayClock, dayZoneOf, withTimezone } from '../rules/calendar.js';
import type { CallingHours } from '../rules/windows.js';
import { type LimitRow, limitColumns, limitsIn, type OperatorLimits } from './operator-limits.js';

type Chosen = Omit<VersionedSettings, 'version'>;

/** The settings that an organization chose, within the operator's limits. */
export interface SettingsInForce extends Chosen {
  /** The zone by which the present day of the organization's own limits is cut. */
  readonly dayZone: string;
  /** The hours that the operator allows; null where any hour is. */
  readonly operatorHours: CallingHours | null;
  /** Attempts that the operator allows to reach one number on one UTC day. */
  readonly operatorAttempts: number | null;
  /** The only countries that may be called, against all other rules; null where the operator set no limit. */
  readonly operatorCountries: readonly string[] | null;
}

export type AskSettings = (organizationId: string) => Promise<VersionedSettings>;

interface KeptClock {
  readonly dayZone: string | null;
  readonly dayZoneUntil: Date | null;
}

const clockOf = (chosen: Chosen, { dayZone, dayZoneUntil }: KeptClock): DayClock => ({
  timezone: chosen.timezone,
  heldZone: dayZone,
  heldUntil: dayZoneUntil,
});

/** Announcements may come late: an older version never replaces a newer one, and none outlives its organization. */
export const keepSettings = async (
  db: Tx,
  organizationId: string,
  { version, ...settings }: VersionedSettings,
  now: Date,
): Promise<void> => {
  const { rows } = await db.query<KeptClock & { readonly settings: Chosen }>(
    `select settings, day_zone as "dayZone", day_zone_until as "dayZoneUntil" from organization_settings
     where organization_id = $1 for update`,
    [organizationId],
  );
  const [known] = rows;
  const clock =
    known === undefined ? undefined : withTimezone(clockOf(known.settings, known), settings.timezone, now);
  await db.query(
    `insert into organization_settings as known (organization_id, version, settings, day_zone, day_zone_until)
     select $1, $2, $3, $4, $5 where not exists (
       select from organization_closures where organization_id = $1 and state = 'removed')
     on conflict (organization_id) do update set version = excluded.version, settings = excluded.settings,
       day_zone = excluded.day_zone, day_zone_until = excluded.day_zone_until
     where known.version < excluded.version`,
    [
      organizationId,
      version,
      JSON.stringify(settings),
      clock?.heldZone ?? null,
      clock?.heldUntil?.toISOString() ?? null,
    ],
  );
};

const bounded = (
  chosen: Chosen,
  { concurrentCalls, countries, callingWindow, dailyAttempts }: OperatorLimits,
  clock: DayClock,
  now: Date,
): SettingsInForce => ({
  ...chosen,
  maxConcurrentCalls: Math.min(chosen.maxConcurrentCalls, concurrentCalls ?? chosen.maxConcurrentCalls),
  operatorCountries: countries,
  operatorHours: callingWindow,
  operatorAttempts: dailyAttempts,
  dayZone: dayZoneOf(clock, now),
});

/** The row that `settingsColumns` select. */
export type SettingsRow = LimitRow & Partial<KeptClock> & { readonly settings: Chosen | null };

/** For a query of which the first value is the id of an organization, and which has `settingsTable` among its tables. */
export const settingsColumns = `k.settings, k.day_zone as "dayZone", k.day_zone_until as "dayZoneUntil", ${limitColumns}`;
export const settingsTable = '(select) as one left join organization_settings k on k.organization_id = $1';

/**
 * The settings in force by a row of `settingsColumns`. @throws AppError SERVICE_UNAVAILABLE when the settings have never been
 * read and cannot be asked for
 */
export const settingsIn = async (
  row: SettingsRow | undefined,
  { db, ask }: { readonly db: Tx; readonly ask: AskSettings },
  organizationId: string,
  now: Date,
): Promise<SettingsInForce> => {
  const limits = limitsIn(row);
  const known = row?.settings;
  if (known != null) {
    const { dayZone = null, dayZoneUntil = null } = row ?? {};
    return bounded(known, limits, clockOf(known, { dayZone, dayZoneUntil }), now);
  }
  const { version, ...asked } = await ask(organizationId);
  await keepSettings(db, organizationId, { ...asked, version }, now);
  return bounded(asked, limits, clockOf(asked, { dayZone: null, dayZoneUntil: null }), now);
};

/** The settings in force. @throws as `settingsIn` does */
export const settingsOf = async (
  db: Tx,
  ask: AskSettings,
  organizationId: string,
  now: Date,
): Promise<SettingsInForce> => {
  const { rows } = await db.query<SettingsRow>({
    name: 'organization-settings',
    text: `select ${settingsColumns} from ${settingsTable}`,
    values: [organizationId],
  });
  return settingsIn(rows[0], { db, ask }, organizationId, now);
};

/** Starts at once. */
export const startSettingsConsumer = (
  options: Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'> & { readonly clock: Clock },
): RunningPart =>
  startConsumer({
    ...options,
    ...eventConsumers['outbound-dialer'].settings,
    handle: (tx, { organizationId, data }) => keepSettings(tx, organizationId, data, options.clock.now()),
  });
