// Reads the attempts behind a call of outbound-dialer for the timeline that calls-logs composes.
import { type CallTimelineFacts, contract, serviceRequests } from '@parlance/contracts';
import { AppError, errorCodes } from '@parlance/errors';
import type { RpcContext } from '@parlance/rpc';
import { type ReadingOptions, readingFor } from './reading.js';

const patienceMs = 2_500;

export class OutboundTimelines {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Undefined where calls-logs does not answer. One of 0.2.0 then reads the attempts itself. */
  async behind(callId: string, context: RpcContext): Promise<CallTimelineFacts | undefined> {
    if (!context.caller.permissions.includes('outboundCalls:read')) return { outbound: null };
    const of = readingFor(context.caller.organizationId, context, patienceMs);
    try {
      const { data } = await this.#options.rpc.call(
        serviceRequests.callsOutboundCall,
        { body: { callId } },
        of,
      );
      return { outbound: data.outboundCallId === null ? null : await this.#read(data.outboundCallId, of) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  async #read(outboundId: string, of: RpcContext): Promise<CallTimelineFacts['outbound']> {
    const { rpc, logger } = this.#options;
    try {
      const { data } = await rpc.call(contract.outboundCallsTimeline, { params: { outboundId } }, of);
      return { timeline: data };
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      // The metadata of a room alone named the outbound call.
      if (err.code === 'OUTBOUND_CALL_NOT_FOUND') return null;
      if (errorCodes[err.code].status < 500) throw err;
      logger.warn({ err, outboundId }, 'attempts for a timeline unavailable');
      return { timeline: null };
    }
  }
}
