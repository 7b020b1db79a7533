// Days as a time zone has them: of 23 or 25 hours where clocks change, and beginning at one o'clock where midnight is
// skipped.
import { Temporal } from 'temporal-polyfill';

export type Day = Temporal.PlainDate;

const [firstYear, lastYear] = [1970, 9_998];

/** A calendar day, or undefined for anything else: `2026-02-30` too. */
export const dayOf = (text: string | undefined): Day | undefined => {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const day = Temporal.PlainDate.from(text);
    return day.year < firstYear || day.year > lastYear ? undefined : day;
  } catch {
    return undefined;
  }
};

export const today = (now: number, timezone: string): Day =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate();

export const daysBetween = (from: Day, to: Day): number => from.until(to).days;

/** The day's first moment, in milliseconds since 1970. */
export const startOf = (day: Day, timezone: string): number =>
  day.toZonedDateTime(timezone).epochMilliseconds;

/** The first moment of the hour that clocks show. */
export const startOfHour = (now: number, timezone: string): number => {
  const offset =
    Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).offsetNanoseconds / 1_000_000;
  const hour = 3_600_000;
  return Math.floor((now + offset) / hour) * hour - offset;
};
