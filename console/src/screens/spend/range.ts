// The days that the spending is shown for. Everything here is pure.

export const ranges = [7, 30, 90] as const;
export type RangeDays = (typeof ranges)[number];

export const rangeOf = (value: unknown): RangeDays | undefined =>
  ranges.find((days) => days === Number(value));

const dayMs = 86_400_000;

/** A day as `2026-11-23` by the clock of a time zone. @param at epoch milliseconds */
const dayIn = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(
    at,
  );

/** The first and the last day of a range that ends today, both included. @param now epoch milliseconds */
export const daysOf = (
  days: RangeDays,
  timeZone: string,
  now: number,
): { readonly from: string; readonly to: string } => {
  const to = dayIn(now, timeZone);
  // Counted on the calendar: a day of the zone may have 23 or 25 hours.
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - (days - 1) * dayMs).toISOString().slice(0, 10);
  return { from, to };
};
