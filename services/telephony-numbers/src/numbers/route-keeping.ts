// Finds numbers that the media server does not know any more. It keeps its trunks and dispatch rules in a Redis; after
// their loss every call would ring in vain. Each active number is looked for, and routed again where it is missing.
import type { MediaRooms } from '@parlance/media-rooms';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { markerOf } from '@parlance/telephony';

export interface RouteParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly rooms: Pick<MediaRooms, 'routeInbound' | 'routedNumbers'>;
  readonly installation: string;
}

const everyMs = 60_000;
const firstAfterMs = 5_000;

const advice =
  'numbers had no route at the media server and were routed again: its Redis lost them, give it a disk (appendonly yes)';

/** Routes the numbers that have no route at the media server. Resolves with their count. */
export const routeMissing = async ({ db, logger, rooms, installation }: RouteParts): Promise<number> => {
  const routed = await rooms.routedNumbers();
  // The numbers are read after the routes: a number bought in between has a route, and a second one changes nothing.
  const { rows } = await db.query<{ id: string; phone_number: string }>(
    `select id, phone_number from numbers where status = 'active'`,
  );
  const missing = rows.filter(({ phone_number: phoneNumber }) => !routed.has(phoneNumber));
  for (const { id, phone_number: phoneNumber } of missing)
    await rooms.routeInbound({ phoneNumber, name: markerOf(installation, id) });
  if (missing.length > 0) logger.error({ numbers: missing.length }, advice);
  return missing.length;
};

/** Looks every minute, in one copy of the service. */
export const startRouteKeeping = (parts: RouteParts): RunningPart =>
  startRounds({
    name: 'inbound routes',
    firstAfterMs,
    everyMs,
    logger: parts.logger,
    round: async () => {
      const lock = await parts.db.tryLock('number-routes');
      if (lock === undefined) return;
      try {
        await routeMissing(parts);
      } finally {
        await lock.release();
      }
    },
  });
