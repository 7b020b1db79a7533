// The money of a purchase. A month has to be put aside at the dialer's ledger before a number is ordered. The gateway requests it,
// and this service does for a gateway of 0.2.0.
import { type BegunPurchase, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';
import type { NumberRow } from '../numbers/number-record.js';

/** @param numbersOwned of the organization, with those that are being bought or given back, this one included */
export type ReserveMonth = (row: NumberRow, numbersOwned: number, requestId: string) => Promise<void>;

export const monthOf = (row: NumberRow): Omit<BegunPurchase, 'numbersOwned'> => ({
  numberId: row.id,
  monthlyPriceMicros: Number(row.monthly_price_micros),
  currency: row.currency,
});

/** Milliseconds to wait for the dialer; the row of a number is fresh enough to be ordered for longer than this. */
const patienceMs = 2_500;
const refusals: readonly string[] = ['SPEND_LIMIT_REACHED'];

/**
 * Fails closed: a number is never ordered for lack of an answer.
 * @throws AppError SPEND_LIMIT_REACHED; SERVICE_UNAVAILABLE when the dialer does not answer, or not in time
 */
export const reserveMonthOver =
  ({ rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>): ReserveMonth =>
  async (row, numbersOwned, requestId) => {
    const deadline = Date.now() + patienceMs;
    const body = { ...monthOf(row), numbersOwned };
    try {
      const caller = callerFor(row.organization_id);
      await rpc.call(serviceRequests.spendReserveNumber, { body }, { caller, requestId, deadline });
    } catch (cause) {
      if (cause instanceof AppError && refusals.includes(cause.code)) throw cause;
      // The dialer may have put the month aside; it gives the money back when it hears that the purchase failed.
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause });
    }
  };
