// Purchases and releases of numbers need the word of the dialer: a month is reserved before a number is ordered, and a number is
// released only when no campaign calls from it. The gateway gets that word while telephony-numbers has the number on record or on hold.
import {
  type BegunPurchase,
  type Callable,
  type contract,
  type Input,
  type NumberHold,
  type NumberPurchaseFacts,
  type NumberReleaseFacts,
  type RequestOf,
  type Result,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcContext } from '@parlance/rpc';
import { type ReadingOptions, readingFor } from './reading.js';

/** A begun purchase may be ordered for five seconds, and a number is held for four. */
const patienceMs = 2_500;

export class NumbersAtDialer {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /**
   * Undefined where telephony-numbers begins no purchase for the gateway: it reserves the month itself then, or has bought the number.
   * @throws AppError why the purchase is not begun
   */
  async purchase(
    { body }: Input<(typeof contract)['numbersBuy']>,
    context: RpcContext,
  ): Promise<NumberPurchaseFacts | undefined> {
    const answer = await this.#orUndefined(serviceRequests.numbersBegin, { body }, context);
    const begun = answer?.begun ?? null;
    return begun === null
      ? undefined
      : { numberId: begun.numberId, refusal: await this.#reserve(begun, context) };
  }

  /**
   * Undefined where telephony-numbers does not hold the number for the gateway: it requests campaigns itself then, or is about to release
   * the number.
   * @throws AppError why the number is not released
   */
  async release(
    { params: { phId } }: Input<(typeof contract)['numbersRelease']>,
    context: RpcContext,
  ): Promise<NumberReleaseFacts | undefined> {
    const answer = await this.#orUndefined(
      serviceRequests.numbersHold,
      { body: { numberId: phId } },
      context,
    );
    const hold = answer?.hold ?? null;
    return hold === null
      ? undefined
      : { holdId: hold.holdId, campaign: await this.#campaignFrom(hold, context) };
  }

  async #reserve(body: BegunPurchase, context: RpcContext): Promise<NumberPurchaseFacts['refusal']> {
    const { rpc, logger } = this.#options;
    try {
      await rpc.call(serviceRequests.spendReserveNumber, { body }, this.#readingOf(context));
      return null;
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      const { code, details } = err;
      if (code === 'SPEND_LIMIT_REACHED')
        return { code, ...(details === undefined ? {} : { details: details as Record<string, never> }) };
      // The dialer may have reserved the month; it releases the money when it hears that the purchase failed.
      logger.warn({ err, numberId: body.numberId }, 'month of a number not reserved');
      return { code: 'SERVICE_UNAVAILABLE' };
    }
  }

  async #campaignFrom(
    { phoneNumber }: NumberHold,
    context: RpcContext,
  ): Promise<NumberReleaseFacts['campaign']> {
    const { rpc, logger } = this.#options;
    try {
      const { data } = await rpc.call(
        serviceRequests.outboundCallsCampaignFrom,
        { body: { phoneNumber } },
        this.#readingOf(context),
      );
      return { id: data.campaignId };
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      logger.warn({ err }, 'campaigns of a number unavailable');
      return null;
    }
  }

  /** A service of 0.2.0 answers neither request. */
  async #orUndefined<T extends Callable>(
    row: T,
    request: RequestOf<T>,
    context: RpcContext,
  ): Promise<Result<T> | undefined> {
    try {
      return (await this.#options.rpc.call(row, request, context)).data;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  #readingOf(context: RpcContext): RpcContext {
    return readingFor(context.caller.organizationId, context, patienceMs);
  }
}
