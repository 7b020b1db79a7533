import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { timeZonesOf } from './time-zones.js';
import { type CallingWindow, isOpen, nextOpening } from './windows.js';

const minuteMs = 60_000;

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const two = (value: number): string => String(value).padStart(2, '0');

interface Wall {
  readonly day: number;
  readonly clock: string;
}

/** Offsets of zones, and their changes, are whole quarters of an hour. */
const quarter = 15;

/** The times of a clock on a wall in the zone, minute by minute, from the runtime's own tables and without a library. */
const wallClock = (zone: string, from: number, minutes: number): readonly Wall[] => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  return Array.from({ length: minutes / quarter }, (_, index) => {
    // such as "Sun 02:30"
    const shown = format.format(from + index * quarter * minuteMs).replace(',', '');
    const [day, hour] = [days.indexOf(shown.slice(0, 3)), shown.slice(-5, -2)];
    const minute = Number(shown.slice(-2));
    return Array.from({ length: quarter }, (_, more) => ({ day, clock: `${hour}${two(minute + more)}` }));
  }).flat();
};

const isOpenOn = ({ day, clock }: Wall, { days, start, end }: CallingWindow): boolean =>
  start < end
    ? days.includes(day) && clock >= start && clock < end
    : (days.includes(day) && clock >= start) || (days.includes((day + 6) % 7) && clock < end);

/** Every half hour, every five minutes at night, when clocks change, and each minute around an opening or a closing. */
const isWorthALook = ({ clock }: Wall, open: readonly boolean[], minute: number): boolean =>
  minute % (clock < '04:00' || clock > '23:30' ? 5 : 30) === 0 ||
  open[minute - 1] !== open[minute] ||
  open[minute + 1] !== open[minute];

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const at = (text: string): Date => new Date(text);

/** Twenty zones, with a night in which their clocks change in 2026, or one in which those of others do. */
const nights: readonly (readonly [zone: string, spring: string, autumn: string])[] = [
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['America/Chicago', '2026-03-08', '2026-11-01'],
  ['America/Denver', '2026-03-08', '2026-11-01'],
  ['America/Phoenix', '2026-03-08', '2026-11-01'],
  ['America/Los_Angeles', '2026-03-08', '2026-11-01'],
  ['America/Anchorage', '2026-03-08', '2026-11-01'],
  ['Pacific/Honolulu', '2026-03-08', '2026-11-01'],
  ['America/St_Johns', '2026-03-08', '2026-11-01'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
  ['America/Santiago', '2026-09-06', '2026-04-05'],
  ['Europe/London', '2026-03-29', '2026-10-25'],
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Europe/Dublin', '2026-03-29', '2026-10-25'],
  ['Atlantic/Azores', '2026-03-29', '2026-10-25'],
  ['Asia/Beirut', '2026-03-29', '2026-10-25'],
  ['Asia/Kathmandu', '2026-03-29', '2026-10-25'],
  ['Australia/Sydney', '2026-10-04', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['Pacific/Auckland', '2026-09-27', '2026-04-05'],
  ['Pacific/Chatham', '2026-09-27', '2026-04-05'],
];

const windows: readonly CallingWindow[] = [
  { days: everyDay, start: '08:00', end: '21:00' },
  { days: [6], start: '00:00', end: '23:59' },
  { days: everyDay, start: '02:15', end: '02:45' },
  { days: everyDay, start: '01:30', end: '03:30' },
  { days: [0, 5], start: '00:00', end: '01:10' },
  { days: [5], start: '22:00', end: '06:00' },
];

describe.each(nights)('the clocks of %s', (zone, spring, autumn) => {
  it.each([spring, autumn])('agree with the wall around %s', (night) => {
    const from = at(`${night}T00:00:00Z`).getTime() - 12 * 60 * minuteMs;
    const minutes = 36 * 60;
    const wall = wallClock(zone, from, minutes);
    for (const window of windows) {
      const open = wall.map((shown) => isOpenOn(shown, window));
      const wrong = open.findIndex(
        (isIt, minute) =>
          isWorthALook(wall[minute] ?? { day: 0, clock: '' }, open, minute) &&
          isOpen(window, [zone], new Date(from + minute * minuteMs)) !== isIt,
      );
      expect(wrong).toBe(-1);
      // Every opening of these two days is found from a time of every third hour before it.
      for (let minute = 0; minute < minutes; minute += 3 * 60) {
        const next = open.indexOf(true, minute);
        if (next === -1) continue;
        const found = nextOpening(window, [zone], new Date(from + minute * minuteMs));
        expect(found?.toISOString()).toBe(new Date(from + next * minuteMs).toISOString());
      }
    }
  });
});

describe('a window of any days and hours', () => {
  const clockOf = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  // The hours in which clocks change come more often than others.
  const clocks = fc
    .oneof(
      fc.integer({ min: 0, max: 1_439 }),
      fc.integer({ min: 0, max: 240 }),
      fc.integer({ min: 1_320, max: 1_439 }),
    )
    .map(clockOf);
  const anyWindow = fc
    .record({
      days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      start: clocks,
      end: fc.oneof(clocks, fc.constant('24:00')),
    })
    .filter(({ start, end }) => start !== end);
  const anyNight = fc
    .constantFrom(...nights)
    .chain(([zone, ...both]) => fc.tuple(fc.constant(zone), fc.constantFrom(...both)));
  const walls = new Map<string, readonly Wall[]>();
  const fourDays = 4 * 24 * 60;
  const wallsFrom = (zone: string, from: number): readonly Wall[] => {
    const key = `${zone} ${from}`;
    const wall = walls.get(key) ?? wallClock(zone, from, fourDays);
    walls.set(key, wall);
    return wall;
  };

  it('opens at the minute that a clock on the wall says, around every clock change', () => {
    fc.assert(
      fc.property(
        anyWindow,
        anyNight,
        fc.integer({ min: 0, max: 72 * 60 }),
        (window, [zone, night], look) => {
          const from = at(`${night}T00:00:00Z`).getTime() - 36 * 60 * minuteMs;
          const wall = wallsFrom(zone, from);
          const now = new Date(from + look * minuteMs);
          const isOpenNow = isOpenOn(wall[look] ?? { day: 0, clock: '' }, window);
          expect(isOpen(window, [zone], now)).toBe(isOpenNow);
          const next = wall.findIndex((shown, minute) => minute >= look && isOpenOn(shown, window));
          const found = nextOpening(window, [zone], now);
          // A window of one day a week may open after the days that the wall was watched.
          if (next === -1) expect(found?.getTime()).toBeGreaterThanOrEqual(from + fourDays * minuteMs);
          else expect(found?.getTime()).toBe(from + next * minuteMs);
        },
      ),
      { numRuns: 300, seed: 35 },
    );
  });
});

describe('a calling window', () => {
  it('that passes midnight belongs to the day on which it begins', () => {
    const friday: CallingWindow = { days: [4], start: '22:00', end: '06:00' };
    expect(isOpen(friday, ['UTC'], at('2026-06-05T05:59:00Z'))).toBe(false);
    expect(isOpen(friday, ['UTC'], at('2026-06-05T22:00:00Z'))).toBe(true);
    expect(isOpen(friday, ['UTC'], at('2026-06-06T05:59:59.999Z'))).toBe(true);
    expect(isOpen(friday, ['UTC'], at('2026-06-06T06:00:00Z'))).toBe(false);
    expect(isOpen(friday, ['UTC'], at('2026-06-06T22:00:00Z'))).toBe(false);
    expect(nextOpening(friday, ['UTC'], at('2026-06-06T06:00:00Z'))).toEqual(at('2026-06-12T22:00:00Z'));
  });

  it('until 24:00 is open to the last millisecond of its day', () => {
    const sunday: CallingWindow = { days: [6], start: '00:00', end: '24:00' };
    expect(isOpen(sunday, ['Europe/London'], at('2026-10-25T23:59:59.999Z'))).toBe(true);
    expect(isOpen(sunday, ['Europe/London'], at('2026-10-26T00:00:00Z'))).toBe(false);
    // In London the clocks went forward in this night: the day has 23 hours.
    expect(isOpen(sunday, ['Europe/London'], at('2026-03-29T22:59:59.999Z'))).toBe(true);
    expect(isOpen(sunday, ['Europe/London'], at('2026-03-29T23:00:00Z'))).toBe(false);
  });

  it('from 22:00 to 06:00 has nine hours when the clocks go back in its night, and seven when they go forward', () => {
    const nightly: CallingWindow = { days: everyDay, start: '22:00', end: '06:00' };
    const hoursOpen = (from: string): number =>
      Array.from({ length: 24 }, (_, hour) => new Date(at(from).getTime() + hour * 60 * minuteMs)).filter(
        (hour) => isOpen(nightly, ['Europe/Berlin'], hour),
      ).length;
    expect(hoursOpen('2026-10-24T12:00:00Z')).toBe(9);
    expect(hoursOpen('2026-03-28T12:00:00Z')).toBe(7);
    expect(hoursOpen('2026-06-06T12:00:00Z')).toBe(8);
  });

  const office: CallingWindow = { days: [0, 1, 2, 3, 4], start: '09:00', end: '17:00' };

  it('is open from its first millisecond to the last before its end', () => {
    expect(isOpen(office, ['UTC'], at('2026-06-01T08:59:59.999Z'))).toBe(false);
    expect(isOpen(office, ['UTC'], at('2026-06-01T09:00:00.000Z'))).toBe(true);
    expect(isOpen(office, ['UTC'], at('2026-06-01T16:59:59.999Z'))).toBe(true);
    expect(isOpen(office, ['UTC'], at('2026-06-01T17:00:00.000Z'))).toBe(false);
  });

  it('opens on Monday when it closed on Friday', () => {
    expect(nextOpening(office, ['UTC'], at('2026-06-05T17:00:00Z'))).toEqual(at('2026-06-08T09:00:00Z'));
  });

  it('is open for somebody of whom several zones are known only when it is open in all of them', () => {
    const zones = ['America/New_York', 'America/Los_Angeles'];
    expect(isOpen(office, zones, at('2026-06-01T15:59:00Z'))).toBe(false);
    expect(nextOpening(office, zones, at('2026-06-01T13:00:00Z'))).toEqual(at('2026-06-01T16:00:00Z'));
    expect(nextOpening(office, zones, at('2026-06-01T21:00:00Z'))).toEqual(at('2026-06-02T16:00:00Z'));
  });

  it('never opens in zones of which one closes before the other opens, nor for a number of no zone', () => {
    const short: CallingWindow = { days: everyDay, start: '09:00', end: '10:00' };
    expect(
      nextOpening(short, ['Europe/Berlin', 'America/New_York'], at('2026-06-01T00:00:00Z')),
    ).toBeUndefined();
    expect(nextOpening(office, [], at('2026-06-01T10:00:00Z'))).toBeUndefined();
    expect(isOpen(office, [], at('2026-06-01T10:00:00Z'))).toBe(false);
  });

  it('knows every zone that the numbers of the world may be in', () => {
    const numbers = [
      '+14155550100',
      '+442079460018',
      '+77012345678',
      '+61280001000',
      '+18005550100',
      '+358181234567',
    ];
    for (const zone of numbers.flatMap(timeZonesOf))
      expect([zone, nextOpening(office, [zone], at('2026-06-01T00:00:00Z'))]).toEqual([
        zone,
        expect.any(Date),
      ]);
  });
});
