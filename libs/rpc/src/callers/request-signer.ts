// Makes a request ready for the broker: seals rows that may hold credentials, and signs the caller.
import type { CallerEnv } from '@parlance/config';
import type { Caller } from '@parlance/contracts';
import { type Clock, systemClock } from '@parlance/observability';
import type { MsgHdrs } from 'nats';
import { addCaller, addSealedKey, carriedTrace, envelopeHeaders, requestHeaders } from '../wire/headers.js';
import { CallerKeys } from './caller-keys.js';
import { CallerSigner } from './caller-token.js';
import { ConfidentialRequests } from './confidential.js';
import { EarlierSigner } from './earlier-caller-token.js';
import { EnvelopeSealer } from './envelopes.js';

export interface UnsignedRequest {
  readonly subject: string;
  /** The service that answers. */
  readonly service: string;
  /** The subject of the answer; another one for every request. */
  readonly reply: string;
  readonly json: string;
  readonly isConfidential: boolean;
  readonly caller: Caller;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly commandId: string | undefined;
}

export interface SignedMessage {
  readonly payload: Uint8Array;
  readonly headers: MsgHdrs;
}

/** Tells sender, organization and actor, for the binding of a sealed request. */
export const callerText = (issuer: string, { organizationId, actor }: Caller): string =>
  JSON.stringify([issuer, organizationId, actor.type, actor.id]);

export class RequestSigner {
  readonly #name: string;
  readonly #signer: CallerSigner;
  readonly #confidential: ConfidentialRequests;
  readonly #earlier: EarlierSigner | undefined;
  readonly #envelopes: EnvelopeSealer;

  /**
   * @param name of this process: `gateway`, which may speak for every caller, or a service
   * @throws ConfigError for keys that do not belong together
   */
  constructor(name: string, env: CallerEnv, clock: Clock = systemClock) {
    const keys = new CallerKeys(name, env);
    this.#name = name;
    this.#signer = new CallerSigner(keys, clock);
    this.#confidential = new ConfidentialRequests(keys, env.CALLER_SIGNING_KEY);
    this.#earlier = env.CALLER_SIGNING_KEY && new EarlierSigner(env.CALLER_SIGNING_KEY, clock);
    this.#envelopes = new EnvelopeSealer(keys, clock);
  }

  /** False beside processes of version 0.1, which read one form only. */
  get makesEnvelopes(): boolean {
    return this.#earlier === undefined;
  }

  /** For a service that takes envelopes. */
  envelope({
    subject,
    service,
    reply,
    json,
    isConfidential,
    caller,
    ...about
  }: UnsignedRequest): SignedMessage {
    const { requestId } = about;
    const sealed = isConfidential
      ? this.#confidential.seal(service, { subject, caller: callerText(this.#name, caller), requestId }, json)
      : undefined;
    const head = { ...about, caller, sealedKey: sealed?.key, trace: carriedTrace() };
    const payload = this.#envelopes.seal(service, { subject, reply }, head, sealed?.payload ?? json);
    return { payload, headers: envelopeHeaders() };
  }

  async sign(request: UnsignedRequest): Promise<SignedMessage> {
    const { caller, requestId, deadline, commandId } = request;
    const earlierToken = await this.#earlier?.sign(caller);
    const headers = requestHeaders({
      ...{ requestId, deadline, commandId, earlierToken },
      offersEnvelopes: this.makesEnvelopes,
    });
    const payload = this.#payload(request, headers, earlierToken);
    addCaller(headers, this.#signer.sign(caller, { ...request, payload }));
    return { payload, headers };
  }

  #payload(request: UnsignedRequest, headers: MsgHdrs, earlierToken: string | undefined): Uint8Array {
    const { subject, service, json, isConfidential, requestId } = request;
    if (!isConfidential) return Buffer.from(json, 'utf8');
    const caller = earlierToken ?? callerText(this.#name, request.caller);
    const { payload, key } = this.#confidential.seal(service, { subject, caller, requestId }, json);
    addSealedKey(headers, key);
    return payload;
  }
}
