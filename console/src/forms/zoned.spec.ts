// A moment that somebody types is the moment that the clocks of the organization show.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoOf, wallOf } from './zoned.js';

describe('a moment in a time zone', () => {
  it.each([
    ['2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
    ['2026-01-01T00:15', 'America/New_York', '2026-01-01T05:15:00.000Z'],
    ['2026-06-01T12:00', 'Asia/Kolkata', '2026-06-01T06:30:00.000Z'],
    // In Berlin the clock goes from 2 to 3 on 29 March, and from 3 back to 2 on 25 October.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ])('%s in %s is %s', (wall, zone, iso) => expect(isoOf(wall, zone)).toBe(iso));

  it('comes back as it was typed, whatever the zone and the day', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Chatham',
    );
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 366 * 3 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const iso = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
        const wall = wallOf(iso, zone);
        // Of an hour that the clock shows twice, only the first comes back as the same moment.
        expect(wallOf(isoOf(wall, zone) ?? '', zone)).toBe(wall);
      }),
    );
  });

  it.each(['0002-07-01T09:30', '0020-07-01T09:30', '0202-07-01T09:30'])(
    '%s is a year that is still being typed, and no moment',
    (wall) => expect(isoOf(wall, 'Europe/Berlin')).toBeUndefined(),
  );

  it('is nothing where no time was typed', () => {
    expect([isoOf('', 'UTC'), isoOf('tomorrow', 'UTC'), wallOf('never', 'UTC')]).toEqual([
      undefined,
      undefined,
      '',
    ]);
  });
});
