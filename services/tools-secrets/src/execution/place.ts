import type { ToolValues } from '@parlance/contracts';

/** The call and the agent of an execution. A test of a tool has no call, and may have no agent. */
export interface Place {
  readonly organizationId: string;
  readonly callId: string | null;
  readonly agentId: string | null;
  readonly requestId: string;
  /** From the gateway. Null where it could not read them; absent in the requests of a gateway of 0.2.0. */
  readonly values?: ToolValues | null | undefined;
}
