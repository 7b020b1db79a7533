// The fit hours for a call: pure arithmetic on clocks, which go forward and back once a year. A window is open from its
// start to just before its end, as the clocks on the wall show it. An end that is not after the start is on the next
// day: a window of Fridays from 22:00 to 06:00 is open on Saturday morning. It must be open in every zone that is asked about.
import { DateTime } from 'luxon';

export interface CallingWindow {
  /** The days on which the window begins; 0 is Monday. */
  readonly days: readonly number[];
  /** Clock times, `HH:mm`; 24:00 as an end is midnight. */
  readonly start: string;
  readonly end: string;
}

/** Hours of every day, as clock times such as `08:00`. */
export interface CallingHours {
  readonly start: string;
  /** A time before the start is on the next day; 24:00 is midnight. */
  readonly end: string;
}

/** Any day of the week comes within this many days, even where a zone leaves one out. */
const searchDays = 15;
const minuteMs = 60_000;
const dayMs = 86_400_000;

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

const isOpenIn = ({ days, start, end }: CallingWindow, zone: string, at: number): boolean => {
  const local = DateTime.fromMillis(at, { zone });
  const minute = local.hour * 60 + local.minute;
  const today = local.weekday - 1;
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from < to) return days.includes(today) && minute >= from && minute < to;
  return (days.includes(today) && minute >= from) || (days.includes((today + 6) % 7) && minute < to);
};

/** Whether the window is open in all of these IANA zones. Without a zone the window counts as closed. */
export const isOpen = (window: CallingWindow, zones: readonly string[], at: Date): boolean =>
  zones.length > 0 && zones.every((zone) => isOpenIn(window, zone, at.getTime()));

/** The minute between two instants at which a zone's clocks are put forward or back. */
const changeBetween = (from: DateTime, to: DateTime): number => {
  const [start, zone] = [from.toMillis(), from.zone];
  let [before, after] = [0, Math.ceil((to.toMillis() - start) / minuteMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offset(start + middle * minuteMs) === from.offset) before = middle;
    else after = middle;
  }
  return start + after * minuteMs;
};

/**
 * All instants of a day at which the window may open: its start and a clock change. The start comes twice where that
 * hour comes twice.
 */
const openingsOfDay = ({ start }: CallingWindow, day: DateTime): number[] => {
  const minutes = minutesOf(start);
  const opening = day.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  const next = day.plus({ days: 1 });
  const change = day.offset === next.offset ? [] : [changeBetween(day, next)];
  return [...opening.getPossibleOffsets().map((at) => at.toMillis()), ...change].sort((a, b) => a - b);
};

const nextOpeningIn = (window: CallingWindow, zone: string, at: number): number | undefined => {
  if (isOpenIn(window, zone, at)) return at;
  const today = DateTime.fromMillis(at, { zone }).startOf('day');
  for (let days = 0; days <= searchDays; days += 1) {
    const openings = openingsOfDay(window, today.plus({ days }));
    const found = openings.find((opening) => opening > at && isOpenIn(window, zone, opening));
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A window by the clock of one zone. */
export interface ZonedWindow {
  readonly window: CallingWindow;
  /** An IANA zone. */
  readonly zone: string;
}

/**
 * The first instant from `at` on at which all of these are open. It is `at` itself if they are.
 * @returns undefined when there is none within two weeks, such as for a short window in zones far apart
 */
export const nextCommonOpening = (windows: readonly ZonedWindow[], at: Date): Date | undefined => {
  let instant = at.getTime();
  // Each window moves the instant on to where it opens, until all of them agree.
  while (instant - at.getTime() <= searchDays * dayMs) {
    const before = instant;
    for (const { window, zone } of windows) {
      const opening = nextOpeningIn(window, zone, instant);
      if (opening === undefined) return undefined;
      instant = opening;
    }
    if (instant === before) return new Date(instant);
  }
  return undefined;
};

/** The same for one window in all of these zones; never where there is no zone. */
export const nextOpening = (window: CallingWindow, zones: readonly string[], at: Date): Date | undefined =>
  zones.length === 0
    ? undefined
    : nextCommonOpening(
        zones.map((zone) => ({ window, zone })),
        at,
      );
