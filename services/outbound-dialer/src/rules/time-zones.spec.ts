import { describe, expect, it } from '@jest/globals';
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { timeZonesOf, zonesOfRow } from './time-zones.js';

describe('time zones of a number', () => {
  it.each([
    ['+12125550123', ['America/New_York']],
    ['+14155550123', ['America/Los_Angeles']],
    ['+18085550123', ['Pacific/Honolulu']],
    ['+4930123456', ['Europe/Berlin']],
    ['+61212345678', ['Australia/Sydney']],
    ['+5592123456789', ['America/Manaus']],
    ['+33123456789', ['Europe/Paris']],
  ])('%s is where its prefix says', (number, zones) => {
    expect(timeZonesOf(number)).toEqual(zones);
  });

  it('takes the longest prefix: Indiana has two zones under one area code', () => {
    expect(timeZonesOf('+12194000000')).toEqual(['America/New_York']);
    expect(timeZonesOf('+12192260000')).toEqual(['America/Chicago']);
  });

  it('knows all zones of a number that may be anywhere', () => {
    const tollFree = timeZonesOf('+18005550123');
    expect(tollFree).toContain('America/New_York');
    expect(tollFree).toContain('Pacific/Honolulu');
    // The table has one zone each: that of most owners.
    expect(timeZonesOf('+79161234567')).toContain('Asia/Vladivostok');
    expect(timeZonesOf('+61412345678')).toContain('Australia/Perth');
    expect(timeZonesOf('+34612345678')).toEqual(['Atlantic/Canary', 'Europe/Madrid']);
    expect(timeZonesOf('+5939991234567')).toContain('Pacific/Galapagos');
    expect(timeZonesOf('+97688123456')).toContain('Asia/Hovd');
  });

  it('has a zone for every country that has numbers', () => {
    const without = getCountries().filter((country) => {
      const number = getExampleNumber(country, examples)?.number;
      return number === undefined || timeZonesOf(number).length === 0;
    });
    expect(without).toEqual([]);
  });

  it('knows only zones that this runtime can calculate with', () => {
    const all = new Set(
      getCountries().flatMap((country) => {
        const number = getExampleNumber(country, examples)?.number;
        return number === undefined ? [] : timeZonesOf(number);
      }),
    );
    const unknown = [...all].filter((timeZone) => {
      try {
        new Intl.DateTimeFormat('en', { timeZone });
        return false;
      } catch {
        return true;
      }
    });
    expect(unknown).toEqual([]);
  });

  it('says nothing about numbers of no country', () => {
    expect(timeZonesOf('+80012345678')).toEqual([]);
    expect(timeZonesOf('')).toEqual([]);
  });
});

describe('time zones of a row', () => {
  const london = '+442079460900';

  it('are those that it names, where they are places', () => {
    expect(zonesOfRow(['America/New_York'], london)).toEqual(['America/New_York']);
    expect(zonesOfRow(['US/Eastern'], london)).toEqual(['US/Eastern']);
    expect(zonesOfRow(['Europe/Madrid', 'Atlantic/Canary'], london)).toEqual([
      'Europe/Madrid',
      'Atlantic/Canary',
    ]);
  });

  it.each(['BST', 'EST', 'IST', 'CET', 'EST5EDT', 'GMT', 'UTC', 'Etc/GMT+5', '+02:00', 'GB', 'nothing'])(
    'are those of the number, where it names %s',
    (zone) => {
      expect(zonesOfRow([zone], london)).toEqual(['Europe/London']);
    },
  );

  it('are those of the number, where it names none', () => {
    expect(zonesOfRow([], london)).toEqual(['Europe/London']);
  });
});
