// Ends the rest of a cancelled campaign. Waiting recipients are not called any more. Calls that ring or talk are hung
// up.
import type { Clock, Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import {
  callsInHand,
  cancelLeftBehind,
  cancelPending,
  leftBehind,
  openCallsOf,
} from '../recipients/recipients.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { OpenCampaign } from './open-campaigns.js';

export interface SweepParts {
  readonly db: Database;
  readonly calls: OutboundCalls;
  /** Hangs up a cancelled call. */
  readonly recover: (outboundCallId: string) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const rowsAtOnce = 5_000;
const callsAtOnce = 200;
/** The most calls that an organization may have in hand at once (`maxConcurrentCalls`). */
const mostInHand = 10_000;
const hangUpsAtOnce = 8;

const cancelCall = async (
  { calls, recover, clock }: SweepParts,
  organizationId: string,
  id: string,
): Promise<void> => {
  const { state } = await calls.load(id);
  // A call that is not placed yet will not be dialled. The dialer that places it looks at the campaign before the dial.
  if (state.phase === 'absent' || (state.phase === 'ended' && state.hangUp === null)) return;
  const now = clock.now().toISOString();
  await calls(
    id,
    { type: 'CancelCall', organizationId, reason: 'campaign_cancelled', now },
    stepMeta(organizationId, id, 'CancelWithCampaign', now),
  );
  await recover(id);
};

/** A call that cannot be cancelled now does not hold up the others. */
const cancelCalls = async (
  parts: SweepParts,
  organizationId: string,
  ids: readonly string[],
): Promise<void> => {
  const waiting = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const outboundCallId = id;
      await cancelCall(parts, organizationId, id).catch((err: unknown) =>
        parts.logger.warn({ outboundCallId, err }, 'call of a cancelled campaign could not be ended yet'),
      );
    }
  };
  await Promise.all(Array.from({ length: Math.min(hangUpsAtOnce, waiting.length) }, worker));
};

/** Recipients in the hands of a dialer that died. Where no call was placed none will be. Each of the others ends with its call. */
const endLeftBehind = async ({ db, calls, clock }: SweepParts, campaignId: string): Promise<string[]> => {
  const found = await leftBehind(db, campaignId, clock.now(), callsAtOnce);
  const states = await Promise.all(found.map(({ outboundCallId }) => calls.load(outboundCallId)));
  const unplaced = found.filter((_, index) => states[index]?.state.phase === 'absent');
  if (unplaced.length > 0)
    await db.transaction((tx) =>
      cancelLeftBehind(
        tx,
        campaignId,
        unplaced.map(({ rowNumber }) => rowNumber),
        clock.now(),
      ),
    );
  return found.filter((left) => !unplaced.includes(left)).map(({ outboundCallId }) => outboundCallId);
};

type Cancelled = Pick<OpenCampaign, 'id' | 'organizationId'>;

/**
 * Ends calls that ring, talk, or are about to. A cancellation begins with this function and does not rely on read
 * models. The dialer that keeps them may be asleep, right before a dial of its own.
 */
export const cancelInHand = async (
  parts: SweepParts,
  { id, organizationId }: Cancelled,
  limit = mostInHand,
): Promise<void> => {
  const { db } = parts;
  const [inHand, open] = [await callsInHand(db, id, limit), await openCallsOf(db, id, limit)];
  await cancelCalls(parts, organizationId, [...new Set([...inHand, ...open])]);
};

/** Ends a part of the remaining calls and recipients; the next rounds end the rest. Phones come first. */
export const sweepCancelled = async (parts: SweepParts, campaign: Cancelled): Promise<void> => {
  const { db } = parts;
  const { id, organizationId } = campaign;
  await cancelInHand(parts, campaign, callsAtOnce);
  await db.transaction((tx) => cancelPending(tx, id, rowsAtOnce));
  await cancelCalls(parts, organizationId, await endLeftBehind(parts, id));
};
