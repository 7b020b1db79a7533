// Days as an organization counts them.
import { DateTime } from 'luxon';

/** The day for which money counts, by the organization's time zone, such as `2026-11-22`. */
export const dayOf = (timezone: string, now: Date): string =>
  DateTime.fromJSDate(now, { zone: timezone }).toFormat('yyyy-MM-dd');
