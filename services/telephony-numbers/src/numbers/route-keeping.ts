// Keeps the media server's routes of active numbers as they have to be. A lost Redis has none of them, and a trunk of an earlier
// release, or one that was edited by hand, may accept calls from others.
import type { MediaRooms } from '@parlance/media-rooms';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { markerOf } from '@parlance/telephony';
import type { InboundRules } from '../inbound-addresses.js';
import { closedNumbers, reopenNumber } from './inbound-pace.js';

export interface RouteParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rooms: Pick<MediaRooms, 'routeInbound' | 'routedNumbers' | 'unrouteInbound'>;
  readonly installation: string;
  readonly inboundRules: InboundRules;
}

const everyMs = 60_000;
const firstAfterMs = 5_000;
const reopenEveryMs = 5_000;

const lostAdvice =
  'numbers had no route at the media server and were routed again: its Redis lost them, give it a disk (appendonly yes)';

interface Row {
  readonly id: string;
  readonly phone_number: string;
}

const route = (
  { rooms, installation, inboundRules }: RouteParts,
  { id, phone_number: phoneNumber }: Row,
): Promise<void> => rooms.routeInbound({ phoneNumber, name: markerOf(installation, id), ...inboundRules });

export interface Repaired {
  /** Numbers that had no route. */
  readonly missing: number;
  /** Numbers that accepted calls from other addresses, or with other credentials, than the configured ones. */
  readonly changed: number;
}

export const repairRoutes = async (parts: RouteParts): Promise<Repaired> => {
  const { db, logger, rooms, inboundRules } = parts;
  const routed = await rooms.routedNumbers();
  // The numbers are read after the routes: a number bought in between has a route, and a second one changes nothing.
  const { rows } = await db.query<Row>(
    `select id, phone_number from numbers where status = 'active' and closed_until is null`,
  );
  const missing = rows.filter(({ phone_number: number }) => !routed.has(number));
  const changed = rows.filter(({ phone_number: number }) => {
    const found = routed.get(number);
    return found !== undefined && !found.accepts(inboundRules);
  });
  for (const row of [...missing, ...changed]) await route(parts, row);
  if (missing.length > 0) logger.error({ numbers: missing.length }, lostAdvice);
  if (changed.length > 0)
    logger.warn(
      { numbers: changed.length },
      'inbound trunks restricted to the addresses and credentials of SIP_INBOUND_*',
    );
  return { missing: missing.length, changed: changed.length };
};

/** Opens numbers again whose minute is over. Resolves with their count. */
export const reopenRoutes = async (parts: RouteParts): Promise<number> => {
  const rows = await closedNumbers(parts.db, parts.clock.now());
  for (const row of rows) {
    await route(parts, row);
    await reopenNumber(parts.db, row.id);
  }
  return rows.length;
};

/** Looks every minute, in one replica. */
const startRepairs = (parts: RouteParts): RunningPart =>
  startRounds({
    name: 'inbound routes',
    firstAfterMs,
    everyMs,
    logger: parts.logger,
    round: async () => {
      const lock = await parts.db.tryLock('number-routes');
      if (lock === undefined) return;
      try {
        await repairRoutes(parts);
      } finally {
        await lock.release();
      }
    },
  });

export const startRouteKeeping = (parts: RouteParts): readonly RunningPart[] => [
  startRepairs(parts),
  startRounds({
    name: 'closed numbers',
    everyMs: reopenEveryMs,
    activity: parts.db.activity,
    logger: parts.logger,
    round: async () => {
      await reopenRoutes(parts);
    },
  }),
];
