// Numbers that the media server does not know any more. Its trunks and dispatch rules are in a Redis; one that lost them
// would let every call ring in vain. Each active number is looked for, and routed again where it is missing.
import type { MediaRooms } from '@parlance/media-rooms';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
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

/** Routes what is missing. Resolves with the number of numbers that were. */
export const routeMissing = async ({ db, logger, rooms, installation }: RouteParts): Promise<number> => {
  const routed = await rooms.routedNumbers();
  // Read afterwards: what was bought meanwhile has its route already, and a second one is the same.
  const { rows } = await db.query<{ id: string; phone_number: string }>(
    `select id, phone_number from numbers where status = 'active'`,
  );
  const missing = rows.filter(({ phone_number: phoneNumber }) => !routed.has(phoneNumber));
  for (const { id, phone_number: phoneNumber } of missing)
    await rooms.routeInbound({ phoneNumber, name: markerOf(installation, id) });
  if (missing.length > 0) logger.error({ numbers: missing.length }, advice);
  return missing.length;
};

/** Looks every minute, in one of the copies. */
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
