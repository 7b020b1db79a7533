// The failures of an event store that the platform treats differently.
import { AppError } from '@parlance/errors';

/** Another writer appended since the stream was read. */
export class WrongRevision extends Error {
  override readonly name = 'WrongRevision';

  constructor(
    readonly stream: string,
    options?: ErrorOptions,
  ) {
    super('the stream has moved on', options);
  }
}

export interface StoreUnavailableOptions {
  readonly cause: unknown;
  /** The cause as a sentence for the operator. It names no host, user or version, because readiness reports are public. */
  readonly reason?: string | undefined;
  /** The engine ended a live subscription because its reader could not keep up. */
  readonly isSlowReader?: boolean;
  /** No node was found, and the client does not say why. */
  readonly isNodeMissing?: boolean;
}

/** The engine does not answer, or refuses for a reason that the operator can remove. */
export class StoreUnavailable extends AppError {
  readonly reason: string | undefined;
  readonly isSlowReader: boolean;
  readonly isNodeMissing: boolean;

  constructor({ cause, reason, isSlowReader = false, isNodeMissing = false }: StoreUnavailableOptions) {
    super('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
    this.reason = reason;
    this.isSlowReader = isSlowReader;
    this.isNodeMissing = isNodeMissing;
  }
}
