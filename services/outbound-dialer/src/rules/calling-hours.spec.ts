// Every combination of the windows of operator, organization and campaign, with the zones that a number, a row and a campaign name.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CallingRules, callingHoursAt, closedBy } from './calling-hours.js';
import { isOpen } from './windows.js';

const days = [0, 1, 2, 3, 4, 5, 6];
const hours = [
  { start: '08:00', end: '21:00' },
  { start: '09:30', end: '17:00' },
  // ends on the next day
  { start: '22:00', end: '06:00' },
  // lies in the hour that is left out, or comes twice, when clocks change
  { start: '02:15', end: '02:45' },
  { start: '00:00', end: '24:00' },
] as const;
const windows = hours.flatMap(({ start, end }) => [
  { days, start, end, basis: 'recipient' as const },
  { days: [0, 2, 4], start, end, basis: 'campaign' as const },
]);
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Madrid',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
] as const;
/** Around the changes of clocks in New York and Madrid, and on an ordinary day, at every part of the day. */
const moments = [
  '2026-03-08T04:20',
  '2026-03-29T00:20',
  '2026-10-25T00:20',
  '2026-11-01T05:20',
  '2026-06-17T00:20',
].flatMap((from) =>
  [0, 3, 7, 11, 15, 19, 23].map((later) => new Date(Date.parse(`${from}Z`) + later * 3_600_000)),
);

const everyDay = (hour: { readonly start: string; readonly end: string }) => ({ ...hour, days });

/** The windows that have to be open, written down once more from the description of the rules. */
const demanded = (rules: CallingRules, number: readonly string[], named: readonly string[]) => {
  const isReplacing = rules.namedTimezones === 'replace';
  const campaign = rules.campaignZone ?? rules.organizationZone;
  const shared = isReplacing ? [campaign] : [rules.organizationZone, campaign];
  const person = isReplacing && named.length > 0 ? named : [...number, ...named];
  const places = person.length > 0 ? person : shared;
  const { operator, organization } = rules;
  return [
    ...(operator === null ? [] : [{ window: everyDay(operator), in: places }]),
    ...(organization === null
      ? []
      : [{ window: organization, in: organization.basis === 'campaign' ? shared : places }]),
    ...(rules.campaign === null
      ? []
      : [{ window: rules.campaign, in: rules.campaign.basis === 'campaign' ? [campaign] : places }]),
  ];
};

describe('calling hours', () => {
  it('are never open while the window of the operator, the organization or the campaign is closed, in all triples of windows', () => {
    let opened = 0;
    for (const operator of [null, ...hours])
      for (const organization of [null, ...windows])
        for (const campaign of [null, ...windows])
          for (const [index, now] of moments.entries()) {
            const zoneAt = (by: number) => zones[(index + by) % zones.length] ?? 'UTC';
            const rules: CallingRules = {
              operator,
              organization,
              campaign,
              organizationZone: zoneAt(0),
              campaignZone: zoneAt(1),
              namedTimezones: index % 2 === 0 ? 'narrow' : 'replace',
            };
            const whereabouts = { number: [zoneAt(2)], named: index % 3 === 0 ? [zoneAt(3)] : [] };
            const wanted = demanded(rules, whereabouts.number, whereabouts.named);
            const isEachOpen = wanted.every(({ window, in: places }) => isOpen(window, places, now));
            const closed = closedBy(rules, whereabouts, now);
            if ((closed === undefined) !== isEachOpen)
              expect({ rules, whereabouts, now, closed }).toBe('open where all are');
            opened += isEachOpen ? 1 : 0;
          }
    // Otherwise nothing was put to the test.
    expect(opened).toBeGreaterThan(1_000);
  });

  it('open again at the time that is named, and not before', () => {
    const anyZone = fc.constantFrom(...zones);
    const anyWindow = fc.option(fc.constantFrom(...windows));
    fc.assert(
      fc.property(
        fc.record({
          operator: fc.option(fc.constantFrom(...hours)),
          organization: anyWindow,
          campaign: anyWindow,
          organizationZone: anyZone,
          campaignZone: anyZone,
          namedTimezones: fc.constantFrom('narrow' as const, 'replace' as const),
        }),
        fc.record({
          number: fc.array(anyZone, { maxLength: 3 }),
          named: fc.array(anyZone, { maxLength: 1 }),
        }),
        fc.constantFrom(...moments),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rules, whereabouts, now, part) => {
          const answer = callingHoursAt(rules, whereabouts, now);
          if (answer.open || answer.opensAt === undefined) return;
          expect(callingHoursAt(rules, whereabouts, answer.opensAt).open).toBe(true);
          const between = new Date(
            now.getTime() + Math.floor((answer.opensAt.getTime() - now.getTime() - 1) * part),
          );
          expect(callingHoursAt(rules, whereabouts, between).open).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  const rules: CallingRules = {
    operator: { start: '08:00', end: '21:00' },
    organization: { days, start: '09:00', end: '18:00', basis: 'recipient' },
    campaign: { days, start: '00:00', end: '24:00', basis: 'campaign' },
    organizationZone: 'UTC',
    campaignZone: 'Pacific/Kiritimati',
    namedTimezones: 'narrow',
  };
  const noon = new Date('2026-06-17T16:00:00.000Z');
  const night = new Date('2026-06-17T05:00:00.000Z');
  const newYork = { number: ['America/New_York'], named: [] };

  it.each([
    ['operator', night, rules],
    ['organization', new Date('2026-06-17T23:00:00.000Z'), rules],
    [
      'campaign',
      noon,
      { ...rules, campaign: { days, start: '01:00', end: '02:00', basis: 'recipient' as const } },
    ],
  ] as const)('says that the window of the %s is closed', (closedBy, now, given) => {
    expect(callingHoursAt(given, newYork, now)).toMatchObject({ open: false, closedBy });
  });

  it('go by the zone that a row names and by those of the number, and by the row alone only where an admin permits it', () => {
    const moved = { number: ['America/New_York'], named: ['Pacific/Kiritimati'] };
    expect(callingHoursAt(rules, newYork, noon).open).toBe(true);
    expect(callingHoursAt(rules, moved, noon).open).toBe(false);
    // 15:00 in Kiritimati, one in the morning in New York.
    const afternoonThere = new Date('2026-06-17T01:00:00.000Z');
    expect(callingHoursAt(rules, moved, afternoonThere).open).toBe(false);
    expect(callingHoursAt({ ...rules, namedTimezones: 'replace' }, moved, afternoonThere).open).toBe(true);
  });
});
