// Reads a request off the broker: its caller and its input.
import type { CallerEnv } from '@parlance/config';
import type { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { parseJson } from '@parlance/json';
import { type Clock, systemClock } from '@parlance/observability';
import type { Msg } from 'nats';
import type { Envelope } from '../wire/envelope.js';
import type { RequestHeaders } from '../wire/headers.js';
import { readRequest } from '../wire/received.js';
import { CallerKeys } from './caller-keys.js';
import { CallerVerifier, type Verified } from './caller-token.js';
import { ConfidentialRequests } from './confidential.js';
import { EarlierVerifier } from './earlier-caller-token.js';
import { EnvelopeVerifier } from './envelopes.js';
import { callerText } from './request-signer.js';

export interface VerifiedRequest {
  readonly caller: Caller;
  /** The parts of the request, which the client has parsed. @throws CannotOpen for a sealed request that belongs elsewhere */
  input(): object;
}

export class RequestVerifier {
  readonly #verifier: CallerVerifier;
  readonly #confidential: ConfidentialRequests;
  readonly #earlier: EarlierVerifier | undefined;
  readonly #envelopes: EnvelopeVerifier;

  /** @throws ConfigError for keys that do not belong together */
  constructor(service: string, env: CallerEnv, clock: Clock = systemClock) {
    const keys = new CallerKeys(service, env);
    this.#verifier = new CallerVerifier(keys, clock);
    this.#confidential = new ConfidentialRequests(keys, env.CALLER_SIGNING_KEY);
    this.#earlier = env.CALLER_SIGNING_KEY && new EarlierVerifier(env.CALLER_SIGNING_KEY, clock);
    this.#envelopes = new EnvelopeVerifier(keys, clock);
  }

  /** @throws AppError UNAUTHENTICATED, with the reason as its cause */
  async verify(message: Msg, received = readRequest(message)): Promise<VerifiedRequest> {
    if (received === undefined)
      throw new AppError('UNAUTHENTICATED', { cause: new Error('request without headers') });
    const { form } = received;
    return 'envelope' in form
      ? this.#verifyEnvelope(message, form.envelope)
      : this.#verifySigned(message, form.headers);
  }

  #verifyEnvelope({ subject, reply = '' }: Msg, envelope: Envelope | undefined): VerifiedRequest {
    if (envelope === undefined)
      throw new AppError('UNAUTHENTICATED', { cause: new Error('request in an unknown form') });
    const { caller, issuer } = this.#envelopes.verify(envelope, { subject, reply });
    const { head, payload } = envelope;
    const { requestId, sealedKey } = head;
    const place = { subject, caller: callerText(issuer, caller), requestId };
    const json = (): string =>
      sealedKey === undefined ? payload.toString('utf8') : this.#confidential.open(place, payload, sealedKey);
    return { caller, input: () => parseJson(json()) as object };
  }

  async #verifySigned(message: Msg, headers: RequestHeaders): Promise<VerifiedRequest> {
    const { caller, issuer } = await this.#callerOf(message, headers);
    return { caller, input: () => this.#inputOf(message, headers, callerText(issuer, caller)) };
  }

  #callerOf(message: Msg, headers: RequestHeaders): Verified | Promise<Verified> {
    const { callerToken, earlierToken, requestId, deadline, commandId } = headers;
    if (callerToken !== undefined) {
      const { subject, reply = '', data: payload } = message;
      return this.#verifier.verify(callerToken, { subject, reply, payload, requestId, deadline, commandId });
    }
    if (this.#earlier === undefined || earlierToken === undefined)
      throw new AppError('UNAUTHENTICATED', { cause: new Error('request without a caller token') });
    return this.#earlier.verify(earlierToken).then((caller) => ({ caller, issuer: '' }));
  }

  #inputOf(message: Msg, headers: RequestHeaders, caller: string): object {
    const { isSealed, sealedKey, earlierToken, requestId } = headers;
    if (!isSealed) return parseJson(message.string()) as object;
    const place = { subject: message.subject, caller: earlierToken ?? caller, requestId };
    // Sealed by a client that had parsed it, like every other request.
    return parseJson(this.#confidential.open(place, message.data, sealedKey)) as object;
  }
}
