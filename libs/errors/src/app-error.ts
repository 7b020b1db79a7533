// The only error that crosses a boundary: a code, safe details, and a cause that stays in the logs.
import { type ErrorCode, errorCodes, isErrorCode } from './codes.js';

export interface AppErrorOptions {
  /** Declared, safe to show to the caller. Never values the caller must not see. */
  readonly details?: unknown;
  /** For the logs only. */
  readonly cause?: unknown;
  /** Seconds after which a retry can help; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** What travels from a service to the gateway. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
}

/**
 * A failure with a stable code. The message is the public sentence of the code, so nothing can leak through it;
 * what happened inside goes into `cause`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(errorCodes[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** HTTP status of the code. */
  get status(): number {
    return errorCodes[this.code].status;
  }

  /** The form that travels over NATS; the cause stays behind. */
  toWire(): WireError {
    return {
      code: this.code,
      message: this.message,
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
    };
  }

  /** The error that `toWire` described; anything unknown becomes INTERNAL_ERROR. */
  static fromWire(wire: unknown): AppError {
    if (typeof wire !== 'object' || wire === null || !('code' in wire) || !isErrorCode(wire.code)) {
      return new AppError('INTERNAL_ERROR', { cause: wire });
    }
    const retryAfter = 'retryAfterSeconds' in wire ? wire.retryAfterSeconds : undefined;
    return new AppError(wire.code, {
      details: 'details' in wire ? wire.details : undefined,
      ...(typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {}),
    });
  }
}

/** Makes a `switch` over a union exhaustive: a forgotten case does not compile. */
export const unreachable = (value: never): never => {
  throw new AppError('INTERNAL_ERROR', { cause: new Error(`unhandled case: ${JSON.stringify(value)}`) });
};

/** One thing that is wrong with a request; `path` such as `body.phoneNumber`. Never holds the value. */
export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** A VALIDATION_ERROR that names what is wrong. */
export const validationError = (issues: readonly Issue[]): AppError =>
  new AppError('VALIDATION_ERROR', { details: { issues } });
