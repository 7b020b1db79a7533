// The settings of an organization: their defaults, and the effect of a change.
import type { Settings, SettingsChange } from '@parlance/contracts';
import { validationError } from '@parlance/errors';

/** The stored settings; `allowedCountries` is null until the organization chooses. */
export type StoredSettings = Omit<Settings, 'allowedCountries' | 'namedTimezones'> & {
  readonly namedTimezones: NonNullable<Settings['namedTimezones']>;
  readonly allowedCountries: string[] | null;
};

export const defaultSettings: StoredSettings = {
  timezone: 'UTC',
  allowedCountries: null,
  maxConcurrentCalls: 10,
  inboundReserve: 2,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  callRetentionDays: null,
  namedTimezones: 'narrow',
};

/**
 * Given values replace the stored ones.
 * @throws AppError VALIDATION_ERROR when more calls would be kept free for callers than there may be
 */
export const changed = (settings: StoredSettings, change: SettingsChange): StoredSettings => {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const next: StoredSettings = { ...settings, ...given };
  if (next.inboundReserve > next.maxConcurrentCalls) {
    const [field, message] =
      change.inboundReserve === undefined
        ? ['maxConcurrentCalls', `must be at least the inboundReserve of ${next.inboundReserve}`]
        : ['inboundReserve', `must be at most the maxConcurrentCalls of ${next.maxConcurrentCalls}`];
    throw validationError([{ path: `body.${field}`, code: 'custom', message }]);
  }
  return next;
};

export const toSettings = (settings: StoredSettings): Settings & Pick<StoredSettings, 'namedTimezones'> => ({
  ...settings,
  allowedCountries: settings.allowedCountries ?? [],
});
