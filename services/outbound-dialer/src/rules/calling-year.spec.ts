// Calling hours over a whole year, against an oracle that shares nothing with the code: offsets from the runtime's own tables, and the
// rules written down once more.
import { describe, expect, it } from '@jest/globals';
import { type CallingRules, closedBy } from './calling-hours.js';
import { isOpen } from './windows.js';

/** A year in which Morocco's clocks go back for Ramadan, and those of Paraguay and Kazakhstan are by new rules. */
const from = Date.parse('2025-01-01T00:00:00Z');
const to = Date.parse('2026-01-01T00:00:00Z');
const halfHourMs = 30 * 60_000;
const moments = (to - from) / halfHourMs;

/** All kinds of offsets and changes that zones have. */
const zones = [
  'UTC',
  // north and south
  'America/New_York',
  'Europe/Berlin',
  'America/Santiago',
  'Australia/Sydney',
  // a change of half an hour, and offsets of half and three quarters of an hour
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/St_Johns',
  // both sides of the date line
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  // clocks change at midnight, for Ramadan, on another day than those of others
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Gaza',
  // zones with new rules
  'America/Asuncion',
  'America/Mexico_City',
  'Asia/Almaty',
] as const;

/** Milliseconds that the clocks of the zone are ahead of UTC, as the runtime writes them: `GMT+05:45`. */
const offsetIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (time: number): number => {
    const [, sign, hours = '0', minutes = '0'] =
      /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(time)) ?? [];
    return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  };
};

const halfHoursOfDay = 48;

/** The offset at every half hour. A day that begins and ends with the same offset has that all along. */
const offsetsOf = (zone: string): readonly number[] => {
  const offsetAt = offsetIn(zone);
  const ofDays = Array.from({ length: moments / halfHoursOfDay + 1 }, (_, day) =>
    offsetAt(from + day * halfHoursOfDay * halfHourMs),
  );
  return Array.from({ length: moments }, (_, moment) => {
    const day = Math.floor(moment / halfHoursOfDay);
    const [begin = 0, end = 0] = [ofDays[day], ofDays[day + 1]];
    return begin === end ? begin : offsetAt(from + moment * halfHourMs);
  });
};

const offsets = new Map(zones.map((zone) => [zone as string, offsetsOf(zone)] as const));

const mondayMs = Date.parse('2024-01-01T00:00:00Z');
const weekMinutesCount = 7 * 1_440;

/** The minute of the local week, of which the first is on Monday at 00:00. */
const weekMinuteAt = (zone: string, moment: number): number =>
  Math.floor((from + moment * halfHourMs + (offsets.get(zone)?.[moment] ?? Number.NaN) - mondayMs) / 60_000) %
  weekMinutesCount;

/**
 * The half hours within a day of a change of the clocks of the zone, and every fifth other one. Five has no divisor in common with the
 * half hours of a day, so all times of day come up, and the zones together have every half hour of the year.
 */
const momentsIn = (zone: string, index: number): readonly number[] => {
  const all = offsets.get(zone) ?? [];
  return all.flatMap((offset, moment) => {
    const isNear = [-halfHoursOfDay, halfHoursOfDay].some((by) => (all[moment + by] ?? offset) !== offset);
    return isNear || (moment + index) % 5 === 0 ? [moment] : [];
  });
};

const everyDay = [0, 1, 2, 3, 4, 5, 6];
interface Window {
  readonly days: number[];
  readonly start: string;
  readonly end: string;
}

const officeHours: Window = { days: [0, 1, 2, 3, 4], start: '09:30', end: '17:00' };
const windows: readonly Window[] = [
  { days: everyDay, start: '08:00', end: '21:00' },
  officeHours,
  // the whole day, and none
  { days: everyDay, start: '00:00', end: '24:00' },
  { days: [], start: '08:00', end: '21:00' },
  // across midnight, into the next week too
  { days: everyDay, start: '22:00', end: '06:00' },
  { days: [6], start: '23:30', end: '00:30' },
  // single minutes, at the edges of the day too
  { days: everyDay, start: '00:00', end: '00:01' },
  { days: everyDay, start: '12:00', end: '12:01' },
  { days: everyDay, start: '23:59', end: '24:00' },
  // within the hour that is left out, or comes twice
  { days: everyDay, start: '02:00', end: '02:31' },
];

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The open minutes of a week, one by one. */
const openMinutes = new Map<Window, Uint8Array>(
  windows.map((window) => {
    const open = new Uint8Array(weekMinutesCount);
    const [start, end] = [minuteOf(window.start), minuteOf(window.end)];
    const lasts = end > start ? end - start : end - start + 1_440;
    for (const day of window.days)
      for (let minute = 0; minute < lasts; minute += 1)
        open[(day * 1_440 + start + minute) % open.length] = 1;
    return [window, open] as const;
  }),
);

const isOpenAt = (window: Window, zone: string, moment: number): boolean =>
  openMinutes.get(window)?.[weekMinuteAt(zone, moment)] === 1;

const at = (moment: number): Date => new Date(from + moment * halfHourMs);

/** Numbers that look random and are the same in every run. */
const sequence = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const samples = 30_000;
/** A failure names it; write that number here to repeat its run. */
const seed = Date.now() % 1_000_000;

describe('a window', () => {
  it(`is open exactly while it is by the clock on the wall, in ${zones.length} zones: each half hour within a day of a change of clocks, and every half hour of a year in a fifth of the zones`, () => {
    let [opened, changes] = [0, 0];
    for (const [index, zone] of zones.entries())
      for (const [nth, moment] of momentsIn(zone, index).entries()) {
        // Every window in turn, in another order in each zone.
        const window = windows[(nth + index) % windows.length] ?? officeHours;
        const expected = isOpenAt(window, zone, moment);
        if (isOpen(window, [zone], at(moment)) !== expected)
          expect({ zone, window, at: at(moment), isOpen: !expected }).toEqual(expected);
        opened += expected ? 1 : 0;
        changes += offsets.get(zone)?.[moment] === offsets.get(zone)?.[moment + 1] ? 0 : 1;
      }
    // Otherwise nothing was put to the test.
    expect(opened).toBeGreaterThan(5_000);
    expect(changes).toBeGreaterThan(15);
  });
});

describe('a person', () => {
  it(`is never called while the window of the operator, the organization or the campaign is closed: ${samples} half hours, rules and zones of a year at random`, () => {
    const below = sequence(seed);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const bases = ['recipient', 'campaign'] as const;
    let opened = 0;
    for (let tried = 0; tried < samples; tried += 1) {
      const moment = below(moments);
      const optional = () => (below(4) === 0 ? null : { window: pick(windows), basis: pick(bases) });
      const operator = below(8) === 0 ? null : pick(windows.filter(({ days }) => days === everyDay));
      const [organization, campaign] = [optional(), optional()];
      const [organizationZone, campaignZone] = [pick(zones), below(4) === 0 ? undefined : pick(zones)];
      const number = Array.from({ length: below(3) }, () => pick(zones));
      const named = below(2) === 0 ? [] : [pick(zones)];
      const namedTimezones = below(2) === 0 ? 'narrow' : 'replace';
      const rules: CallingRules = {
        organizationZone,
        campaignZone,
        namedTimezones,
        operator,
        organization: organization && { ...organization.window, basis: organization.basis },
        campaign: campaign && { ...campaign.window, basis: campaign.basis },
      };
      const isReplacing = namedTimezones === 'replace';
      const own = campaignZone ?? organizationZone;
      const clocks = isReplacing ? [own] : [organizationZone, own];
      const known = isReplacing && named.length > 0 ? named : [...number, ...named];
      const places = known.length > 0 ? known : clocks;
      const demands: readonly (readonly [Window | undefined, readonly string[]])[] = [
        [operator ?? undefined, places],
        [organization?.window, organization?.basis === 'campaign' ? clocks : places],
        [campaign?.window, campaign?.basis === 'campaign' ? [own] : places],
      ];
      const expected = demands.every(
        ([window, everywhere]) =>
          window === undefined || everywhere.every((zone) => isOpenAt(window, zone, moment)),
      );
      const isAllowed = closedBy(rules, { number, named }, at(moment)) === undefined;
      if (isAllowed !== expected)
        expect({ seed, rules, number, named, at: at(moment), isAllowed }).toEqual({ isAllowed: expected });
      opened += expected ? 1 : 0;
    }
    expect(opened).toBeGreaterThan(1_000);
  });
});
