// Shows the turns of a conversation among the live calls. The conversation does not wait for it, and a turn that is not shown
// is in the hand-over all the same.
import { type CallContext, serviceRequests, type TranscriptTurn } from '@parlance/contracts';
import type { Host } from '@parlance/service-host';

export const showTurns = (
  { rpc, callerFor, ids, logger }: Pick<Host, 'rpc' | 'callerFor' | 'ids' | 'logger'>,
  { organizationId, callId, agentId }: CallContext,
  turns: readonly TranscriptTurn[],
): void => {
  const shown = turns.flatMap(({ createdAt, ...turn }) => (createdAt ? [{ ...turn, createdAt }] : []));
  if (shown.length === 0) return;
  const show = async (): Promise<void> => {
    const context = { caller: callerFor(organizationId), requestId: ids.next() };
    const body = { callId, agentId, turns: shown };
    await rpc.call(serviceRequests.callsTextTurns, { body }, context);
  };
  void show().catch((err: unknown) =>
    logger.warn({ err, callId }, 'a turn is not shown before the call ends'),
  );
};
