// The times at which a campaign may be scheduled to start.
import { validationError } from '@parlance/errors';
import { DateTime } from 'luxon';

/** The clocks of callers differ, and a request takes a moment: a start this long ago still means now. */
const lateness = { minutes: 1 };
/** A start beyond this is a slip of the pen, and its number could not be given back until then. */
const foresight = { years: 1 };

/** @throws AppError VALIDATION_ERROR for a start more than a minute ago or more than a year ahead */
export const checkStart = (scheduledAt: string | null | undefined, now: string): void => {
  if (scheduledAt == null) return;
  const start = Date.parse(scheduledAt);
  const created = DateTime.fromISO(now, { zone: 'utc' });
  const isTooEarly = start < created.minus(lateness).toMillis();
  if (!isTooEarly && start <= created.plus(foresight).toMillis()) return;
  const message = isTooEarly ? 'must not be more than a minute ago' : 'must not be more than a year ahead';
  throw validationError([{ path: 'body.scheduledAt', code: 'custom', message }]);
};
