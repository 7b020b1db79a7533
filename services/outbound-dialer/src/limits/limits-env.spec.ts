import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadEnv } from '@parlance/config';
import { z } from 'zod';
import { everybodysLimits, limitsEnv } from './limits-env.js';

const load = (variables: Readonly<Record<string, string>>) =>
  everybodysLimits(loadEnv(z.object(limitsEnv), variables));

describe('the limits of the environment', () => {
  it('are there without anybody setting them', () => {
    expect(load({})).toEqual({
      dayMicros: 100_000_000,
      monthMicros: 1_000_000_000,
      numbers: 25,
      concurrentCalls: 100,
      countries: null,
      callingWindow: { start: '08:00', end: '21:00' },
      dailyAttempts: 3,
    });
  });

  it('are what the operator writes, and none is no limit', () => {
    expect(
      load({
        ORGANIZATION_SPEND_PER_DAY: '0.5',
        ORGANIZATION_SPEND_PER_MONTH: 'none',
        ORGANIZATION_MAX_NUMBERS: '0',
        ORGANIZATION_MAX_CONCURRENT_CALLS: 'none',
        ORGANIZATION_COUNTRIES: 'us, DE,US',
        CALLING_WINDOW: '22:00-24:00',
        DAILY_ATTEMPTS_PER_NUMBER: 'none',
      }),
    ).toEqual({
      dayMicros: 500_000,
      monthMicros: null,
      numbers: 0,
      concurrentCalls: null,
      countries: ['DE', 'US'],
      callingWindow: { start: '22:00', end: '24:00' },
      dailyAttempts: null,
    });
  });

  it.each([
    ['ORGANIZATION_SPEND_PER_DAY', '-1'],
    ['ORGANIZATION_SPEND_PER_DAY', '1e3'],
    ['ORGANIZATION_SPEND_PER_MONTH', '1,5'],
    ['ORGANIZATION_MAX_NUMBERS', '2.5'],
    ['ORGANIZATION_MAX_NUMBERS', '1000001'],
    ['ORGANIZATION_MAX_CONCURRENT_CALLS', 'many'],
    ['ORGANIZATION_COUNTRIES', 'US,XX'],
    ['ORGANIZATION_COUNTRIES', 'USA'],
    ['CALLING_WINDOW', '8-21'],
    ['CALLING_WINDOW', '08:00-08:00'],
    ['CALLING_WINDOW', '08:00-25:00'],
    ['DAILY_ATTEMPTS_PER_NUMBER', '0'],
    ['INSTALLATION_SPEND_PER_DAY', 'much'],
    ['INSTALLATION_MAX_NUMBERS', '-1'],
  ])('keep a process from starting when %s is "%s"', (variable, value) => {
    expect(() => load({ [variable]: value })).toThrow(ConfigError);
  });
});
