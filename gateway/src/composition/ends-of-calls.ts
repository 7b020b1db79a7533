// Ends the parts of a live call that other services hold, before calls-logs ends the call itself. A dial that loses its room first
// would pass for a phone that was not answered, and a retry policy may dial such a phone again.
import { type CallEndFacts, type CallInRoom, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcContext } from '@parlance/rpc';
import { type ReadingOptions, readingFor } from './reading.js';

const patienceMs = 2_500;

export class EndsOfCalls {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /**
   * Undefined where calls-logs does not answer. One of 0.2.0 then ends all parts by itself.
   * @throws AppError when a part could not be ended: the call is still in progress then
   */
  async endedIn(roomName: string, context: RpcContext): Promise<CallEndFacts | undefined> {
    const found = await this.#found(roomName, context);
    if (found === undefined) return undefined;
    const { call } = found;
    if (call === null) return { ended: null };
    if (call.inText) await this.#endConversation(call, context);
    return { ended: { ...call, dialCancelledAt: await this.#endDial(call, context) } };
  }

  async #found(
    roomName: string,
    context: RpcContext,
  ): Promise<{ readonly call: CallInRoom | null } | undefined> {
    try {
      const of = this.#readingOf(context);
      return (await this.#options.rpc.call(serviceRequests.callsInRoom, { body: { roomName } }, of)).data;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  async #endConversation({ callId }: CallInRoom, context: RpcContext): Promise<void> {
    const { rpc } = this.#options;
    await rpc.call(serviceRequests.widgetsEndConversation, { body: { callId } }, this.#readingOf(context));
  }

  async #endDial({ callId, dialOf }: CallInRoom, context: RpcContext): Promise<string | null> {
    if (dialOf === null) return null;
    const body = { outboundCallId: dialOf, callId };
    const of = this.#readingOf(context);
    try {
      return (await this.#options.rpc.call(serviceRequests.outboundCallsEndAttempt, { body }, of)).data
        .cancelledAt;
    } catch (error) {
      // The metadata of a room alone named the outbound call: nothing is dialled.
      if (error instanceof AppError && error.code === 'OUTBOUND_CALL_NOT_FOUND') return null;
      throw error;
    }
  }

  #readingOf(context: RpcContext): RpcContext {
    return readingFor(context.caller.organizationId, context, patienceMs);
  }
}
