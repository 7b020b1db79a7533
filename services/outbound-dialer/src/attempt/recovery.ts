// Recovers unattended attempts: left behind by a dead process, in doubt, or cancelled while they rang. Attempts that
// have been connected for long belong to them, as the news of their end may be lost. Runs on start and then all the
// time.
import type { CallFacts } from '@parlance/contracts';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import {
  type ConnectedCall,
  claimConnected,
  claimUnattended,
  findHangUps,
  forgetOldClaims,
} from './dial-claims.js';
import type { InDoubtProtocol, ProtocolParts } from './in-doubt-protocol.js';

export interface RecoveryParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
  readonly protocol: Pick<InDoubtProtocol, 'recover' | 'settle'>;
  readonly askCalls: ProtocolParts['askCalls'];
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
  { askCalls, logger }: RecoveryParts,
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
  parts: RecoveryParts,
  connected: readonly ConnectedCall[],
  stopping: AbortSignal,
): Promise<void> => {
  const { logger, protocol } = parts;
  const idOf = new Map(connected.map(({ id, callId }) => [callId, id]));
  for (const organizationId of new Set(connected.map((call) => call.organizationId))) {
    const own = connected.filter((call) => call.organizationId === organizationId);
    await each(await factsOf(parts, organizationId, own), { logger, stopping }, async (facts) => {
      const id = idOf.get(facts.callId);
      if (id !== undefined) await protocol.settle(id, facts);
    });
  }
};

export const startRecovery = (parts: RecoveryParts): RunningPart => {
  const { db, clock, holder, logger, protocol } = parts;
  return startRounds({
    name: 'recovery',
    everyMs,
    logger,
    round: async (stopping) => {
      const claimant = () => ({ holder, now: clock.now() });
      const recover = (id: string): Promise<void> => protocol.recover(id);
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
