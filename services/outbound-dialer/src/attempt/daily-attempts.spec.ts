// The day that counts for the operator's limit on attempts, at the place of the person.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '../rules/calendar.js';
import { type CallingRules, closedBy } from '../rules/calling-hours.js';
import { timeZonesOf } from '../rules/time-zones.js';
import { dayZoneOfNumber } from './daily-attempts.js';

/** Of one zone and of many, toll-free, on both sides of the date line, and of no country. */
const numbers = [
  '+12125550100',
  '+14155550100',
  '+18085550100',
  '+18005550100',
  '+442079460018',
  '+34612345678',
  '+5622345678',
  '+61412345678',
  '+6421234567',
  '+68575012345',
  '+97714123456',
  '+79161234567',
];
const rules: CallingRules = {
  operator: { start: '08:00', end: '21:00' },
  organization: null,
  campaign: null,
  organizationZone: 'UTC',
  campaignZone: undefined,
  namedTimezones: 'narrow',
};
const from = Date.parse('2026-01-01T00:00:00Z');
const minuteMs = 60_000;

describe('the day of a number', () => {
  it('is one for all attempts within the operator’s hours on one date of the clock at any place where the person may be', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...numbers),
        fc.nat(365 * 1_440),
        fc.integer({ min: 1, max: 780 }),
        (number, minute, later) => {
          const [one, other] = [minute, minute + later].map((at) => new Date(from + at * minuteMs));
          if (one === undefined || other === undefined) return;
          const zones = timeZonesOf(number);
          const isOpen = (at: Date) => closedBy(rules, { number: zones, named: [] }, at) === undefined;
          if (!isOpen(one) || !isOpen(other)) return;
          if (!zones.some((zone) => dayOf(zone, one) === dayOf(zone, other))) return;
          compared += 1;
          const zone = dayZoneOfNumber(number);
          const seen = { number, one, other, day: dayOf(zone, other) };
          expect(seen).toEqual({ ...seen, day: dayOf(zone, one) });
        },
      ),
      { numRuns: 4_000 },
    );
    // Otherwise nothing was put to the test.
    expect(compared).toBeGreaterThan(200);
  });

  it('is that of UTC for a number that belongs to no place', () => {
    expect(dayZoneOfNumber('+80012345678')).toBe('UTC');
    expect(dayZoneOfNumber('+14155550100')).toBe('America/Los_Angeles');
  });
});
