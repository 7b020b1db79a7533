// How the gateway reads other services for answers that it composes, and for facts that it sends along.
import type { Logger } from '@parlance/observability';
import { platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';

export interface ReadingOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export type ReadingContext = Pick<RpcContext, 'requestId' | 'deadline'>;

/** The context of a read by the platform itself, which ends with the request that it is for, and after `patienceMs` at the latest. */
export const readingFor = (
  organizationId: string,
  { requestId, deadline = Number.POSITIVE_INFINITY }: ReadingContext,
  patienceMs: number,
): RpcContext => ({
  caller: platformCaller('gateway', organizationId),
  requestId,
  deadline: Math.min(deadline, Date.now() + patienceMs),
});
