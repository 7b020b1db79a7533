// Requests in envelopes: made by the sender, and verified by the service. The rules are those of caller tokens (ADR 11): an
// envelope is good for one request, once, for half a minute, and a service speaks for itself only.
import { AppError } from '@parlance/errors';
import { type Clock, systemClock } from '@parlance/observability';
import { type Envelope, type EnvelopeHead, type EnvelopePlace, encodeEnvelope } from '../wire/envelope.js';
import type { CallerKeys } from './caller-keys.js';
import { isInTime, maySign, rememberedMs, TakenBefore, type Verified } from './caller-token.js';
import { PairKeys } from './pair-keys.js';
import { SeenOnce } from './seen-once.js';

export class EnvelopeSealer {
  readonly #name: string;
  readonly #keys: PairKeys;
  readonly #clock: Clock;

  constructor(keys: CallerKeys, clock: Clock = systemClock) {
    this.#name = keys.name;
    this.#keys = new PairKeys(keys);
    this.#clock = clock;
  }

  seal(
    service: string,
    place: EnvelopePlace,
    head: Omit<EnvelopeHead, 'issuer' | 'sentAt'>,
    payload: string | Uint8Array,
  ): Buffer {
    const sentAt = this.#clock.now().getTime();
    return encodeEnvelope(this.#keys.to(service), place, { ...head, issuer: this.#name, sentAt }, payload);
  }
}

export class EnvelopeVerifier {
  readonly #names: ReadonlySet<string>;
  readonly #keys: PairKeys;
  readonly #clock: Clock;
  readonly #taken: SeenOnce;

  constructor(keys: CallerKeys, clock: Clock = systemClock) {
    this.#names = new Set(keys.names);
    this.#keys = new PairKeys(keys);
    this.#clock = clock;
    this.#taken = new SeenOnce(rememberedMs, clock);
  }

  /**
   * Takes each envelope once.
   * @throws AppError UNAUTHENTICATED, with the reason as its cause
   */
  verify({ head, isFrom }: Envelope, place: EnvelopePlace): Verified {
    const { issuer, sentAt, caller } = head;
    const refuse = (reason: string): never => {
      throw new AppError('UNAUTHENTICATED', { cause: new Error(`request ${reason}`) });
    };
    if (!this.#names.has(issuer)) refuse('of an unknown process');
    if (!isFrom(this.#keys.from(issuer), place))
      refuse(`was changed, or was not sent with the key of ${issuer} in CALLER_PUBLIC_KEYS`);
    if (!isInTime(sentAt / 1_000, this.#clock.now().getTime() / 1_000))
      refuse(`of ${issuer} is not valid at this time; do the clocks agree?`);
    if (!maySign(issuer, caller)) refuse(`of ${issuer} names a caller that it may not speak for`);
    if (!this.#taken.add(`${issuer} ${place.reply}`)) {
      const cause = new TakenBefore(`request of ${issuer} was taken before`);
      throw new AppError('UNAUTHENTICATED', { cause });
    }
    return { caller, issuer };
  }
}
