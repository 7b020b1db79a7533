// Recovers unattended attempts: left behind by a dead process, in doubt, or cancelled while they rang. Attempts that
// have been connected for long belong to them, as the news of their end may be lost. Runs on start and then all the
// time.
import type { CallFacts } from '@parlance/contracts';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { AskCalls } from './attempt-evidence.js';
import type { AttemptRecovery } from './attempt-recovery.js';
import type { AttemptSettlement } from './attempt-settlement.js';
import {
  type ConnectedCall,
  claimConnected,
  claimUnattended,
  findHangUps,
  forgetOldClaims,
} from './dial-claims.js';

export interface RecoveryRoundsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
  readonly recovery: Pick<AttemptRecovery, 'recover'>;
  readonly settlement: Pick<AttemptSettlement, 'settle'>;
  readonly askCalls: AskCalls;
}

const everyMs = 2_000;
const atOnce = 8;
/** Rows of one kind in one round; the next round takes the rest. */
const batch = 200;

/** One call that cannot be recovered now must not keep the others from it. */
const each = async <T>(
  items: readonly T[],
  { logger, stopping }: { readonly logger: Logger; readonly stopping: AbortSignal },
  recover: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && !stopping.aborted; item = waiting.shift()) {
      await recover(item).catch((err: unknown) => logger.warn({ err }, 'recovery of a call has to wait'));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, worker));
};

const factsOf = async (
  { askCalls, logger }: RecoveryRoundsOptions,
  organizationId: string,
  calls: readonly ConnectedCall[],
): Promise<readonly CallFacts[]> => {
  try {
    return await askCalls(
      organizationId,
      calls.map(({ callId }) => callId),
    );
  } catch (err) {
    logger.warn({ err }, 'calls-logs could not be asked how calls ended');
    return [];
  }
};

const askForEnds = async (
  parts: RecoveryRoundsOptions,
  connected: readonly ConnectedCall[],
  stopping: AbortSignal,
): Promise<void> => {
  const { logger, settlement } = parts;
  const idOf = new Map(connected.map(({ id, callId }) => [callId, id]));
  for (const organizationId of new Set(connected.map((call) => call.organizationId))) {
    const own = connected.filter((call) => call.organizationId === organizationId);
    await each(await factsOf(parts, organizationId, own), { logger, stopping }, async (facts) => {
      const id = idOf.get(facts.callId);
      if (id !== undefined) await settlement.settle(id, facts);
    });
  }
};

export const startRecoveryRounds = (parts: RecoveryRoundsOptions): RunningPart => {
  const { db, clock, holder, logger, recovery } = parts;
  return startRounds({
    name: 'recovery',
    everyMs,
    activity: db.activity,
    logger,
    round: async (stopping) => {
      const claimant = () => ({ holder, now: clock.now() });
      const recover = (id: string): Promise<void> => recovery.recover(id);
      await each(await findHangUps(db, batch), { logger, stopping }, recover);
      const unattended = await db.transaction((tx) =>
        claimUnattended(tx, claimant(), { limit: batch, forMs: everyMs / 2 }),
      );
      await each(unattended, { logger, stopping }, recover);
      const connected = await db.transaction((tx) => claimConnected(tx, claimant(), batch));
      await askForEnds(parts, connected, stopping);
      await forgetOldClaims(db, claimant());
    },
  });
};
