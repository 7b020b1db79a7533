// Tells every gateway when a credential changed, so that it is not remembered as it was. A message that gets lost costs
// a second: FreshCache forgets by itself.
import { revocationsSubject } from '@parlance/messaging';
import type { Logger, RunningPart } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import type { ApiKeys } from './api-keys.js';
import type { Sessions } from './sessions.js';

/** The thing to forget. Sessions go by their handle, never by their token. */
const Revocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), keyId: z.string() }),
  z.object({ kind: z.literal('session'), handle: z.string() }),
  z.object({ kind: z.literal('all') }),
]);
export type Revocation = z.infer<typeof Revocation>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const parse = (data: Uint8Array): Revocation | undefined => {
  try {
    return Revocation.parse(JSON.parse(decoder.decode(data)));
  } catch {
    return undefined;
  }
};

export interface RevocationsOptions {
  readonly nats: NatsConnection;
  readonly keys: ApiKeys;
  readonly sessions: Sessions;
  readonly logger: Logger;
  /** Told after each change, when nothing of the credential is remembered any more. */
  readonly changed: (revocation: Revocation) => void;
}

export class Revocations implements RunningPart {
  readonly name = 'revocations';
  readonly #options: RevocationsOptions;
  readonly #unsubscribe: () => void;

  constructor(options: RevocationsOptions) {
    this.#options = options;
    const subscription = options.nats.subscribe(revocationsSubject, {
      callback: (error, message) => {
        const revocation = error === null ? parse(message.data) : undefined;
        if (revocation !== undefined) this.#apply(revocation);
      },
    });
    this.#unsubscribe = () => subscription.unsubscribe();
  }

  /** Forgets here at once, and everywhere as soon as the message arrives. */
  announce(revocation: Revocation): void {
    this.#apply(revocation);
    try {
      this.#options.nats.publish(revocationsSubject, encoder.encode(JSON.stringify(revocation)));
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'other gateways were not told of a revocation');
    }
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
  }

  #apply(revocation: Revocation): void {
    const { keys, sessions } = this.#options;
    if (revocation.kind === 'key') keys.forget(revocation.keyId);
    else if (revocation.kind === 'session') sessions.forget(revocation.handle);
    else {
      keys.forgetAll();
      sessions.forgetAll();
    }
    this.#options.changed(revocation);
  }
}
