import { describe, expect, it } from '@jest/globals';
import { countryCodes, SettingsChange } from '@parlance/contracts';
import { changed, defaultSettings, toSettings } from './settings.js';

describe('settings', () => {
  it('are those of the interface until somebody changes them', () => {
    expect(toSettings(defaultSettings)).toEqual({
      timezone: 'UTC',
      allowedCountries: [],
      maxConcurrentCalls: 10,
      inboundReserve: 2,
      callingWindow: null,
      dailyAttemptsPerNumber: null,
      quickCallBudget: null,
      callRetentionDays: null,
      namedTimezones: 'narrow',
    });
  });

  it('keep what a change leaves out', () => {
    const settings = changed(defaultSettings, { timezone: 'Asia/Kathmandu', dailyAttemptsPerNumber: 3 });
    expect(changed(settings, { allowedCountries: ['NP'], timezone: undefined })).toEqual({
      ...settings,
      allowedCountries: ['NP'],
    });
    expect(changed(settings, { dailyAttemptsPerNumber: null })).toMatchObject({
      dailyAttemptsPerNumber: null,
    });
  });

  it('never keep more calls free than there may be, whichever of the two is changed', () => {
    const refused = (path: string) =>
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { issues: [expect.objectContaining({ path })] },
      });
    expect(() => changed(defaultSettings, { inboundReserve: 11 })).toThrow(refused('body.inboundReserve'));
    expect(() => changed(defaultSettings, { maxConcurrentCalls: 1 })).toThrow(
      refused('body.maxConcurrentCalls'),
    );
    expect(changed(defaultSettings, { maxConcurrentCalls: 1, inboundReserve: 1 })).toMatchObject({
      maxConcurrentCalls: 1,
    });
  });
});

describe('a change of settings', () => {
  it.each([
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { timezone: 'Europe/berlin\u0000' },
    { timezone: null },
    { allowedCountries: ['XX'] },
    { allowedCountries: ['us'] },
    { allowedCountries: ['US', 'US'] },
    { allowedCountries: [] },
    { allowedCountries: 'US' },
    { maxConcurrentCalls: 0 },
    { maxConcurrentCalls: 10_001 },
    { maxConcurrentCalls: 1.5 },
    { maxConcurrentCalls: '10' },
    { inboundReserve: -1 },
    { dailyAttemptsPerNumber: 0 },
    { callRetentionDays: 0 },
    { callRetentionDays: 3_651 },
    { callRetentionDays: '30' },
    { quickCallBudget: 5_000_000 },
    { quickCallBudget: {} },
    { quickCallBudget: { maxCostMicros: 0 } },
    { quickCallBudget: { maxCostMicros: 1.5 } },
    { quickCallBudget: { maxCostMicros: '5' } },
    { quickCallBudget: { maxCostMicros: 1_000_000_000_001 } },
    { quickCallBudget: { maxCostMicros: 5, currency: 'USD' } },
    { timezone: 'BST' },
    { callingWindow: { days: [0], start: '09:00', end: '09:00', basis: 'recipient' } },
    { callingWindow: { days: [7], start: '09:00', end: '18:00', basis: 'recipient' } },
    { organizationId: 'x' },
  ])('is refused when it is %j', (change) => {
    expect(SettingsChange.safeParse(change).success).toBe(false);
  });

  it('may name any zone, every country, and give back what it limits', () => {
    for (const timezone of ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Argentina/Buenos_Aires'])
      expect(SettingsChange.safeParse({ timezone }).success).toBe(true);
    const change = { allowedCountries: [...countryCodes], callingWindow: null, dailyAttemptsPerNumber: null };
    expect(SettingsChange.parse(change)).toEqual(change);
    expect(SettingsChange.parse({ allowedCountries: null })).toEqual({ allowedCountries: null });
    expect(SettingsChange.parse({})).toEqual({});
  });
});
