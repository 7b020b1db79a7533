// The sweep clears away the reservations that no other part ends. They belong to calls that were never recorded, claims
// that no dialer took up again, or attempts without a known end. So no reservation outlives its call.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, deleteInPieces } from '@parlance/postgres';
import type { OutboundCalls } from '../repositories/outbound-call-repository.js';
import { release, settle } from './ledger.js';
import { forgetSettled, type LeftCall, leftCalls } from './open-calls.js';
import { pastOperatorSpend } from './operator-spend.js';
import { cleared } from './settling.js';

export interface SpendSweepParts {
  readonly db: Database;
  readonly calls: Pick<OutboundCalls, 'load'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 15_000;
/** The most rows in one round; the other rows wait for the next round. */
const batch = 200;
const forgottenAtOnce = 5_000;

const clear = async ({ db, calls, clock }: SpendSweepParts, call: LeftCall): Promise<void> => {
  const { subject, organizationId } = call;
  const { state } = await calls.load(call.outboundCallId);
  const what = cleared(call, state);
  if (what === 'keep') return;
  await db.transaction((tx) =>
    what === 'release'
      ? release(tx, organizationId, [subject], call.reservedAt)
      : settle(tx, organizationId, what, clock.now()),
  );
};

/** One round. */
export const sweepSpend = async (parts: SpendSweepParts, stopping: AbortSignal): Promise<void> => {
  const { db, clock, logger } = parts;
  for (const call of await leftCalls(db, clock.now(), batch)) {
    if (stopping.aborted) return;
    // A reservation that cannot be cleared away now does not hold up the others.
    await clear(parts, call).catch((err: unknown) =>
      logger.warn({ outboundCallId: call.outboundCallId, err }, 'a reservation has to wait'),
    );
  }
  while (!stopping.aborted && (await forgetSettled(db, clock.now(), forgottenAtOnce)) === forgottenAtOnce);
  await deleteInPieces(db, { ...pastOperatorSpend, values: [clock.now().toISOString()] });
};

export const startSpendSweep = (parts: SpendSweepParts): RunningPart =>
  startRounds({
    name: 'spend sweep',
    everyMs,
    logger: parts.logger,
    round: (stopping) => sweepSpend(parts, stopping),
  });
