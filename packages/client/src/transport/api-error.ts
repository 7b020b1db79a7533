// The one error of this client for answers that are not a success.

import { retryableCodes, statusOf } from '../generated/errors.js';
import type { ErrorDetails } from './error-details.js';

/** A stable name for a way to fail. */
export type ErrorCode = keyof typeof statusOf;

/** The details of an error beside its code; `unknown` for codes that promise no details. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorDetails
  ? ErrorDetails[Code] | undefined
  : unknown;

interface Facts<Code extends ErrorCode> {
  readonly code: Code;
  readonly message: string;
  readonly status: number;
  readonly details: DetailsOf<Code>;
  readonly requestId: string;
  readonly retryAfterSeconds: number | undefined;
  readonly retryable: boolean;
}

/** A refusal by the platform: the stable code, the HTTP status and the details that may be shown. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error implements Facts<Code> {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly status: number;
  readonly details: DetailsOf<Code>;
  /** The id to quote when asking the operator of the platform. Empty when a proxy answered instead of the platform. */
  readonly requestId: string;
  /** Seconds after which trying again can help; from the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** The same request can succeed later. */
  readonly retryable: boolean;

  constructor(facts: Facts<Code>) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.retryable = facts.retryable;
  }
}

/** True for an error of the platform, with one of these codes where any are given. The details have the type of the code. */
export const isApiError = <const Codes extends readonly ErrorCode[]>(
  error: unknown,
  ...codes: Codes
): error is Codes extends readonly [] ? ApiError : { [K in keyof Codes]: ApiError<Codes[K]> }[number] =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

// The platform's error code for a proxy in between that answers with a status alone.
const codeOfStatus = (status: number): ErrorCode => {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) return 'SERVICE_UNAVAILABLE';
  return status === 504 ? 'UPSTREAM_TIMEOUT' : 'INTERNAL_ERROR';
};

/** Statuses with which a proxy says that the platform is not there right now. */
const passingStatuses: readonly number[] = [429, 502, 503, 504];

const httpDate = /^[A-Za-z]{3,9}, .+ GMT$/;
const timeOf = (header: string | null): number | undefined => {
  const time = header !== null && httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** Seconds, or a date. The answer's own date tells the distance, because the clock of this machine may be wrong. */
const retryAfterOf = ({ headers }: Response): number | undefined => {
  const header = headers.get('retry-after');
  if (header !== null && /^\d{1,9}$/.test(header)) return Number(header);
  const time = timeOf(header);
  if (time === undefined) return undefined;
  return Math.max(0, Math.ceil((time - (timeOf(headers.get('date')) ?? Date.now())) / 1_000));
};

const textIn = (value: unknown, key: string): string | undefined => {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'string' ? found : undefined;
};
const objectIn = (value: unknown, key: string): object | undefined => {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'object' && found !== null ? found : undefined;
};

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(statusOf, code);

/** Reads the error out of an answer that is not a success, of the platform or of a proxy. */
export const apiErrorOf = (response: Response, body: unknown): ApiError => {
  const about = { status: response.status, retryAfterSeconds: retryAfterOf(response) };
  const error = objectIn(body, 'error');
  const code = textIn(error, 'code');
  if (error === undefined || code === undefined) {
    return new ApiError({
      ...{ ...about, code: codeOfStatus(response.status), details: undefined },
      retryable: passingStatuses.includes(response.status),
      message: `The answer with status ${response.status} is not the platform's.`,
      requestId: response.headers.get('x-request-id') ?? '',
    });
  }
  return new ApiError({
    ...about,
    // A newer platform may have codes that this package does not know: a program may compare them all the same.
    code: code as ErrorCode,
    message: textIn(body, 'message') ?? code,
    details: Reflect.get(error, 'details'),
    requestId: textIn(error, 'requestId') ?? '',
    retryable: Reflect.get(error, 'retryable') === true || retryableCodes.includes(code),
  });
};

/** Reads the error out of the event with which a stream fails. */
export const apiErrorOfStream = (failure: unknown): ApiError => {
  const code = textIn(failure, 'code') ?? 'INTERNAL_ERROR';
  return new ApiError({
    code: code as ErrorCode, // as above
    message: textIn(failure, 'message') ?? code,
    status: isKnown(code) ? statusOf[code] : 500,
    details: undefined,
    requestId: textIn(failure, 'requestId') ?? '',
    retryAfterSeconds: undefined,
    retryable: retryableCodes.includes(code),
  });
};
