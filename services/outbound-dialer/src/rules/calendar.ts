// Days as an organization counts them for its own budgets, and as the operator counts them.
import { DateTime } from 'luxon';

/** The day for which money counts, by the organization's time zone, such as `2026-11-22`. */
export const dayOf = (timezone: string, now: Date): string =>
  DateTime.fromJSDate(now, { zone: timezone }).toFormat('yyyy-MM-dd');

/** The day of the operator's limits. It is UTC for every organization: an owner can change the clock of the organization. */
export const utcDayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** The clock by which days are cut. */
export interface DayClock {
  readonly timezone: string;
  /** The zone by which days are still cut after another one was chosen, and the end of its day. */
  readonly heldZone: string | null;
  readonly heldUntil: Date | null;
}

/** The zone by which the present day is cut. */
export const dayZoneOf = ({ timezone, heldZone, heldUntil }: DayClock, now: Date): string =>
  heldZone !== null && heldUntil !== null && now < heldUntil ? heldZone : timezone;

/** The clock after a change of the time zone: the day in progress ends where it would have ended without the change. */
export const withTimezone = (clock: DayClock, timezone: string, now: Date): DayClock => {
  const heldZone = dayZoneOf(clock, now);
  if (heldZone === timezone) return { timezone, heldZone: null, heldUntil: null };
  const heldUntil = DateTime.fromJSDate(now, { zone: heldZone }).plus({ days: 1 }).startOf('day').toJSDate();
  return { timezone, heldZone, heldUntil };
};
