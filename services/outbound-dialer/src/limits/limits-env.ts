// The operator's limits for every organization and for the installation, as variables of the environment.
import { countryCodes } from '@parlance/contracts';
import { z } from 'zod';
import type { CallingHours } from '../rules/windows.js';
import { microsOf } from './amounts.js';

/** Null: no limit. */
export interface OperatorLimits {
  /** Money that calls and numbers may cost on one day, in micros of the rates' currency. */
  readonly dayMicros: number | null;
  readonly monthMicros: number | null;
  /** Owned numbers, including numbers that are being bought or given back. */
  readonly numbers: number | null;
  readonly concurrentCalls: number | null;
  /** Countries that may be called, as ISO 3166 codes. */
  readonly countries: readonly string[] | null;
  /** The hours in which people may be called, by the clocks of the place where they are. */
  readonly callingWindow: CallingHours | null;
  /** Attempts to reach one number on one day, by the clock of its place. */
  readonly dailyAttempts: number | null;
}

/** Limits that all organizations share, as whoever pays for them has them. Null: no limit. */
export interface InstallationLimits {
  readonly dayMicros: number | null;
  readonly monthMicros: number | null;
  /** Numbers that were bought and not given back. */
  readonly numbers: number | null;
  readonly concurrentCalls: number | null;
}

/** A limit as the environment or the command line states it: its value, or the problem with its text. */
export type Written<T> = { readonly value: T } | { readonly problem: string };

const none = 'none';

export const writtenAmount = (text: string): Written<number | null> => {
  if (text === none) return { value: null };
  const micros = microsOf(text);
  return micros === undefined
    ? { problem: 'takes an amount such as 50 or 0.5, with at most six decimals, or none' }
    : { value: micros };
};

const mostCounted = 1_000_000;

export const writtenCount = (text: string): Written<number | null> => {
  if (text === none) return { value: null };
  const count = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return count <= mostCounted
    ? { value: count }
    : { problem: `takes a whole number from 0 to ${mostCounted}, or none` };
};

export const writtenCountries = (text: string): Written<string[] | null> => {
  if (text.trim() === none) return { value: null };
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  const wrong = codes.find((code) => !countryCodes.has(code));
  if (wrong !== undefined)
    return { problem: `takes codes of countries such as US,DE, or none; "${wrong}" is not a country` };
  return { value: [...new Set(codes)].sort() };
};

const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const hours = new RegExp(`^(${clock})-(${clock}|24:00)$`);

export const writtenHours = (text: string): Written<CallingHours | null> => {
  if (text === none) return { value: null };
  const [, start, end] = hours.exec(text) ?? [];
  return start === undefined || end === undefined || start === end
    ? { problem: 'takes hours such as 08:00-21:00, or none' }
    : { value: { start, end } };
};

const mostAttempts = 100;

export const writtenAttempts = (text: string): Written<number | null> => {
  if (text === none) return { value: null };
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return count >= 1 && count <= mostAttempts
    ? { value: count }
    : { problem: `takes a whole number from 1 to ${mostAttempts}, or none` };
};

const asUsual = 'npm run ops -- limits sets another one for an organization.';

const variable = <T>(
  otherwise: string,
  read: (text: string) => Written<T>,
  about: string,
  remark = asUsual,
) =>
  z
    .string()
    .default(otherwise)
    .transform((text, context) => {
      const written = read(text);
      if ('value' in written) return written.value;
      context.addIssue({ code: 'custom', message: written.problem });
      return z.NEVER;
    })
    .meta({ otherwise })
    .describe(`${about} ${remark}`);

const installationToo = 'npm run ops -- limits installation sets another one.';

export const limitsEnv = {
  ORGANIZATION_SPEND_PER_DAY: variable(
    '100',
    writtenAmount,
    "What calls and numbers of an organization may cost on one UTC day, in units of the rates' currency, or none for no limit.",
  ),
  ORGANIZATION_SPEND_PER_MONTH: variable(
    '1000',
    writtenAmount,
    'What calls and numbers of an organization may cost in one calendar month (UTC), or none for no limit.',
  ),
  ORGANIZATION_MAX_NUMBERS: variable(
    '25',
    writtenCount,
    'Numbers that an organization may own, or none for no limit.',
  ),
  ORGANIZATION_MAX_CONCURRENT_CALLS: variable(
    '100',
    writtenCount,
    'Outbound calls and conversations in widgets that an organization may have in progress, or none for no limit but that of its own settings.',
  ),
  ORGANIZATION_COUNTRIES: variable(
    none,
    writtenCountries,
    'Countries that organizations may call at the most, as ISO 3166 codes separated by commas, or none for no limit.',
  ),
  CALLING_WINDOW: variable(
    '08:00-21:00',
    writtenHours,
    'Hours in which people may be called, by the clock of every place where their number may be, or none for any hour. Windows of organizations and campaigns only narrow it.',
  ),
  DAILY_ATTEMPTS_PER_NUMBER: variable(
    '3',
    writtenAttempts,
    'Attempts of an organization to reach one number on one day, by the clock of the place that the number belongs to, or none for no limit.',
  ),
  INSTALLATION_SPEND_PER_DAY: variable(
    '1000',
    writtenAmount,
    "What calls and numbers of all organizations together may cost on one UTC day, in units of the rates' currency, or none for no limit.",
    installationToo,
  ),
  INSTALLATION_SPEND_PER_MONTH: variable(
    '10000',
    writtenAmount,
    'What calls and numbers of all organizations together may cost in one calendar month (UTC), or none for no limit.',
    installationToo,
  ),
  INSTALLATION_MAX_NUMBERS: variable(
    '250',
    writtenCount,
    'Numbers that all organizations together may have bought, or none for no limit.',
    installationToo,
  ),
  INSTALLATION_MAX_CONCURRENT_CALLS: variable(
    '1000',
    writtenCount,
    'Outbound calls and conversations in widgets that all organizations together may have in progress, or none for no limit.',
    installationToo,
  ),
};

type LimitsEnv = { readonly [K in keyof typeof limitsEnv]: z.output<(typeof limitsEnv)[K]> };

export const everybodysLimits = (env: LimitsEnv): OperatorLimits => ({
  dayMicros: env.ORGANIZATION_SPEND_PER_DAY,
  monthMicros: env.ORGANIZATION_SPEND_PER_MONTH,
  numbers: env.ORGANIZATION_MAX_NUMBERS,
  concurrentCalls: env.ORGANIZATION_MAX_CONCURRENT_CALLS,
  countries: env.ORGANIZATION_COUNTRIES,
  callingWindow: env.CALLING_WINDOW,
  dailyAttempts: env.DAILY_ATTEMPTS_PER_NUMBER,
});

export const installationLimits = (env: LimitsEnv): InstallationLimits => ({
  dayMicros: env.INSTALLATION_SPEND_PER_DAY,
  monthMicros: env.INSTALLATION_SPEND_PER_MONTH,
  numbers: env.INSTALLATION_MAX_NUMBERS,
  concurrentCalls: env.INSTALLATION_MAX_CONCURRENT_CALLS,
});

const usual = z.object(limitsEnv).parse({});

/** The limits without any of the variables. */
export const usualLimits = everybodysLimits(usual);
export const usualInstallationLimits = installationLimits(usual);
