// Settings in Postgres, one row per organization that has changed them.
import type { Tx } from '@parlance/postgres';
import { defaultSettings, type StoredSettings } from './settings.js';

export interface VersionedSettings {
  /** 0 before the first change. */
  readonly version: number;
  readonly settings: StoredSettings;
}

interface Row {
  readonly version: number;
  readonly settings: StoredSettings;
}

const select = `select version, jsonb_build_object(
    'timezone', timezone, 'allowedCountries', allowed_countries, 'maxConcurrentCalls', max_concurrent_calls,
    'inboundReserve', inbound_reserve, 'callingWindow', calling_window,
    'dailyAttemptsPerNumber', daily_attempts_per_number, 'quickCallBudget', quick_call_budget,
    'callRetentionDays', call_retention_days, 'namedTimezones', named_timezones) as settings
  from organization_settings where organization_id = $1`;

const found = ([row]: readonly Row[]): VersionedSettings => row ?? { version: 0, settings: defaultSettings };

export const getSettings = async (tx: Tx, organizationId: string): Promise<VersionedSettings> => {
  const { rows } = await tx.query<Row>({ name: 'get_settings', text: select, values: [organizationId] });
  return found(rows);
};

/**
 * The same settings, locked against other changes until the transaction ends. The lock is advisory, because the first
 * change has no row to lock.
 */
export const lockSettings = async (tx: Tx, organizationId: string): Promise<VersionedSettings> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('settings:' || $1, 0))`, [organizationId]);
  return found((await tx.query<Row>(select, [organizationId])).rows);
};

export const saveSettings = async (
  tx: Tx,
  organizationId: string,
  { version, settings }: VersionedSettings,
  now: Date,
): Promise<void> => {
  const { timezone, allowedCountries, maxConcurrentCalls, inboundReserve } = settings;
  await tx.query(
    `insert into organization_settings (organization_id, version, timezone, allowed_countries, max_concurrent_calls,
       inbound_reserve, calling_window, daily_attempts_per_number, quick_call_budget, call_retention_days,
       named_timezones, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (organization_id) do update set version = excluded.version, timezone = excluded.timezone,
       allowed_countries = excluded.allowed_countries, max_concurrent_calls = excluded.max_concurrent_calls,
       inbound_reserve = excluded.inbound_reserve, calling_window = excluded.calling_window,
       daily_attempts_per_number = excluded.daily_attempts_per_number,
       quick_call_budget = excluded.quick_call_budget, call_retention_days = excluded.call_retention_days,
       named_timezones = excluded.named_timezones, updated_at = excluded.updated_at`,
    [
      ...[organizationId, version, timezone, allowedCountries, maxConcurrentCalls, inboundReserve],
      settings.callingWindow === null ? null : JSON.stringify(settings.callingWindow),
      settings.dailyAttemptsPerNumber,
      settings.quickCallBudget === null ? null : JSON.stringify(settings.quickCallBudget),
      settings.callRetentionDays ?? null,
      settings.namedTimezones,
      now,
    ],
  );
};
