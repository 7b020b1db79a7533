// The pace of new calls to one number. The voice runtime requests a configuration before it answers, so that is where calls are
// counted. LiveKit has no limit of its own: a number that gets too many calls loses its route for a minute, and the SIP bridge then
// refuses them without a room, an agent or a model.
import { AppError } from '@parlance/errors';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Logger } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { NumberRow } from './number-record.js';

/** Calls may be ahead of their pace by this much, so that a minute's calls may all come at once. */
const windowMs = 60_000;
/** How long a number stays closed. */
const closedMs = 60_000;
/** Longer than a runtime waits with a caller on the line, so it hangs up at once. */
const retryAfterSeconds = 60;

type Counted =
  | { readonly number: NumberRow; readonly isOverPace: false }
  | {
      readonly number: NumberRow;
      readonly isOverPace: true;
      /** True for one caller: who closes the number at the media server. */
      readonly isFirst: boolean;
    };

/** Counts a call to an active number of any organization. Undefined where there is none. */
const countCall = async (
  tx: Tx,
  phoneNumber: string,
  { now, perMinute }: { readonly now: Date; readonly perMinute: number },
): Promise<Counted | undefined> => {
  const intervalMs = windowMs / perMinute;
  const latest = new Date(now.getTime() + windowMs - intervalMs);
  const { rows } = await tx.query<NumberRow>({
    name: 'count_inbound_call',
    text: `
      update numbers
      set next_call_at = greatest(coalesce(next_call_at, $2), $2) + $3 * interval '1 millisecond'
      where phone_number = $1 and status = 'active' and coalesce(next_call_at, $2) <= $4
      returning *`,
    values: [phoneNumber, now, intervalMs, latest],
  });
  const [number] = rows;
  if (number !== undefined) return { number, isOverPace: false };
  const over = await tx.query<NumberRow & { readonly is_first: boolean }>({
    name: 'close_number',
    text: `
      with found as (
        select id, closed_until from numbers where phone_number = $1 and status = 'active' for update
      )
      update numbers set closed_until = coalesce(found.closed_until, $2)
      from found where numbers.id = found.id
      returning numbers.*, found.closed_until is null as is_first`,
    values: [phoneNumber, new Date(now.getTime() + closedMs)],
  });
  const [closed] = over.rows;
  return closed && { number: closed, isOverPace: true, isFirst: closed.is_first };
};

export interface InboundPaceOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rooms: Pick<MediaRooms, 'unrouteInbound'>;
  readonly perMinute: number;
}

export class InboundPace {
  readonly #options: InboundPaceOptions;

  constructor(options: InboundPaceOptions) {
    this.#options = options;
  }

  /** @throws AppError NUMBER_NOT_FOUND; RATE_LIMITED for a call beyond the pace of its number */
  async admit(phoneNumber: string): Promise<NumberRow> {
    const { db, clock, logger, rooms, perMinute } = this.#options;
    const counted = await countCall(db, phoneNumber, { now: clock.now(), perMinute });
    if (counted === undefined) throw new AppError('NUMBER_NOT_FOUND');
    if (!counted.isOverPace) return counted.number;
    if (counted.isFirst) {
      logger.warn({ numberId: counted.number.id, perMinute }, 'number closed: too many inbound calls');
      await rooms
        .unrouteInbound(phoneNumber)
        .catch((err: unknown) => logger.warn({ err, numberId: counted.number.id }, 'number not closed'));
    }
    throw new AppError('RATE_LIMITED', { retryAfterSeconds });
  }
}

export interface ClosedNumber {
  readonly id: string;
  readonly phone_number: string;
}

/** Active numbers whose time is over. */
export const closedNumbers = async (tx: Tx, now: Date): Promise<readonly ClosedNumber[]> => {
  const { rows } = await tx.query<ClosedNumber>({
    name: 'closed_numbers',
    text: `select id, phone_number from numbers where status = 'active' and closed_until <= $1`,
    values: [now],
  });
  return rows;
};

export const reopenNumber = async (tx: Tx, id: string): Promise<void> => {
  await tx.query({
    name: 'reopen_number',
    text: 'update numbers set closed_until = null where id = $1',
    values: [id],
  });
};
