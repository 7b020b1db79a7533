// Moments as people type them, in the time zone of the organization.

const parts = (at: number, timeZone: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      ...{
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      },
      ...{ hourCycle: 'h23', timeZone },
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value] as const),
  );

/** Milliseconds that the clock of the zone is ahead of UTC then. */
const offsetAt = (at: number, timeZone: string): number => {
  const { year, month, day, hour, minute, second } = parts(at, timeZone);
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return wall - Math.floor(at / 1_000) * 1_000;
};

/** ISO 8601 as `2026-07-01T09:30`, by the clock of the zone. Empty for a text that is no moment. */
export const wallOf = (iso: string, timeZone: string): string => {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const { year, month, day, hour, minute } = parts(at, timeZone);
  return `${year}-${month}-${day}T${hour}:${minute}`;
};

const firstYear = Date.UTC(1000, 0);

/**
 * `2026-07-01T09:30` by the clock of the zone as ISO 8601 in UTC. A time that the clock skips in spring is an hour later. One that it
 * shows twice in autumn is the first. Undefined for a text that is no time, such as a half-typed year: after its first key it is 0002.
 */
export const isoOf = (wall: string, timeZone: string): string | undefined => {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc) || asUtc < firstYear) return undefined;
  // The offset before the change holds for both: it makes a skipped time later, and of a repeated one the first.
  const dayMs = 86_400_000;
  const before = asUtc - offsetAt(asUtc - dayMs, timeZone);
  const fits = (at: number): boolean => at + offsetAt(at, timeZone) === asUtc;
  if (fits(before)) return new Date(before).toISOString();
  const after = asUtc - offsetAt(asUtc + dayMs, timeZone);
  return new Date(fits(after) ? after : before).toISOString();
};
