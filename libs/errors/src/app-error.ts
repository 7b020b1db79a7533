// The only error that crosses a boundary: a code, safe details, and a cause that stays in the logs.
import { type ErrorCode, errorCodes, isErrorCode } from './codes.js';

export interface AppErrorOptions {
  /** Declared, safe to show to the caller. Never values the caller must not see. */
  readonly details?: unknown;
  /** The cause, for the logs only. */
  readonly cause?: unknown;
  /** Seconds after which a retry can help; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** The fields of an error that travel from a service to the gateway. */
export interface WireError {
  readonly code: ErrorCode;
  /** HTTP status of the code, for a receiver that does not know the code. Version 0.1 does not tell it. */
  readonly status?: number;
  readonly message: string;
  readonly details?: unknown;
  readonly retryAfterSeconds?: number;
}

/** The general codes, for a code that only the sender's release knows: a newer service beside an older gateway. */
const generalCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMITED',
  504: 'UPSTREAM_TIMEOUT',
};

const generalCodeOf = (wire: object): ErrorCode => {
  const status = 'status' in wire && typeof wire.status === 'number' ? wire.status : 500;
  if (status > 500 && status < 600) return generalCodes[status] ?? 'SERVICE_UNAVAILABLE';
  if (status >= 400 && status < 500) return generalCodes[status] ?? 'VALIDATION_ERROR';
  return 'INTERNAL_ERROR';
};

/**
 * A failure with a stable code. The message is the public sentence of the code, so nothing can leak through it; the
 * inner error goes into `cause`.
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
      status: this.status,
      message: this.message,
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
    };
  }

  /** The error that `toWire` described. An unknown code becomes the general one of its status; anything else INTERNAL_ERROR. */
  static fromWire(wire: unknown): AppError {
    if (typeof wire !== 'object' || wire === null || !('code' in wire))
      return new AppError('INTERNAL_ERROR', { cause: wire });
    const retryAfter = 'retryAfterSeconds' in wire ? wire.retryAfterSeconds : undefined;
    const retry = typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {};
    if (!isErrorCode(wire.code)) return new AppError(generalCodeOf(wire), { cause: wire, ...retry });
    return new AppError(wire.code, { details: 'details' in wire ? wire.details : undefined, ...retry });
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

/** A VALIDATION_ERROR that names the faulty fields. */
export const validationError = (issues: readonly Issue[]): AppError =>
  new AppError('VALIDATION_ERROR', { details: { issues } });
