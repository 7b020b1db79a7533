// Saving a form that was only looked at changes nothing.
import { describe, expect, it } from '@jest/globals';
import type { Settings } from '@parlance/client';
import { settingsOperations } from '@parlance/contracts/operations/settings';
import { bodyOf, valuesOf } from './settings-values.js';

const plain: Settings = {
  timezone: 'Europe/Berlin',
  maxConcurrentCalls: 8,
  inboundReserve: 2,
  callingWindow: null,
  dailyAttemptsPerNumber: null,
  quickCallBudget: null,
  callRetentionDays: null,
  namedTimezones: 'narrow',
  allowedCountries: [],
};
const full: Settings = {
  ...plain,
  callingWindow: { days: [0, 6], start: '10:00', end: '12:30', basis: 'campaign' },
  dailyAttemptsPerNumber: 3,
  quickCallBudget: { maxCostMicros: 5_000_000 },
  callRetentionDays: 90,
  namedTimezones: 'replace',
  allowedCountries: ['DE', 'AT'],
};

describe('the form of the settings', () => {
  it.each([
    ['without limits', plain],
    ['with every limit', full],
  ] as const)('keeps settings %s as they are', (_, settings) => {
    // The interface reads an empty list of countries, and takes null for it.
    const { allowedCountries, ...rest } = bodyOf(valuesOf(settings));
    expect({ ...rest, allowedCountries: allowedCountries ?? [] }).toEqual(settings);
  });

  it('makes a request that the contract takes', () => {
    const { body } = settingsOperations.settingsUpdate;
    for (const settings of [plain, full])
      expect(body.safeParse(bodyOf(valuesOf(settings))).success).toBe(true);
  });
});
