// The meaning of a provider's failure: the code that the caller gets, and whether the request was carried out.
import { AppError, type ErrorCode } from '@parlance/errors';

export interface FailureFacts {
  /** The request was certainly not carried out. */
  readonly isCertain: boolean;
  /** The provider is to blame, and not the request. */
  readonly isFault: boolean;
  readonly cause: unknown;
  readonly retryAfterSeconds?: number;
  /** HTTP status of the provider's answer. */
  readonly answeredWith?: number | undefined;
}

export class ProviderFailure extends AppError {
  readonly isCertain: boolean;
  readonly isFault: boolean;
  /** HTTP status of the provider's answer; undefined where there was none. */
  readonly answeredWith: number | undefined;

  constructor(code: ErrorCode, { isCertain, isFault, cause, retryAfterSeconds, answeredWith }: FailureFacts) {
    super(code, { cause, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
    this.isCertain = isCertain;
    this.isFault = isFault;
    this.answeredWith = answeredWith;
  }
}

/** The facts in an error of either SDK. */
export interface ProviderAnswer {
  /** HTTP status; undefined when there was no whole answer. */
  readonly status: number | undefined;
  /** The provider's own codes of the error. */
  readonly codes: readonly string[];
  readonly retryAfterSeconds?: number | undefined;
  /** The answer took longer than the time limit. */
  readonly timedOut: boolean;
}

/** Codes of one provider that mean something to a buyer. */
export interface KnownCodes {
  readonly numberUnavailable: readonly string[];
  readonly insufficientFunds: readonly string[];
}

/** Nothing was sent: the provider has no listener, no address or no valid certificate. */
const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
const defaultRetryAfterSeconds = 2;

/** Codes of Node's errors in a chain of causes. */
const causeCodes = (error: unknown, depth = 0): string[] => {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const nested =
    error instanceof AggregateError ? error.errors.flatMap((one) => causeCodes(one, depth + 1)) : [];
  return [...own, ...nested, ...('cause' in error ? causeCodes(error.cause, depth + 1) : [])];
};

const unanswered = (timedOut: boolean, cause: unknown): ProviderFailure => {
  const isCertain = causeCodes(cause).some((code) => neverSent.test(code));
  const code = timedOut && !isCertain ? 'PROVIDER_TIMEOUT' : 'PROVIDER_UNAVAILABLE';
  return new ProviderFailure(code, {
    isCertain,
    isFault: true,
    cause,
    ...(code === 'PROVIDER_UNAVAILABLE' ? { retryAfterSeconds: defaultRetryAfterSeconds } : {}),
  });
};

/** The failure behind an SDK's error. */
export const toFailure = (answer: ProviderAnswer, known: KnownCodes, cause: unknown): ProviderFailure => {
  const { status, codes } = answer;
  if (status === undefined) return unanswered(answer.timedOut, cause);
  const has = (list: readonly string[]): boolean => codes.some((code) => list.includes(code));
  const refused = { isCertain: true, isFault: false, cause, answeredWith: status } as const;
  if (status === 429)
    return new ProviderFailure('PROVIDER_RATE_LIMITED', {
      ...refused,
      retryAfterSeconds: answer.retryAfterSeconds ?? defaultRetryAfterSeconds,
    });
  // Like a server's error, these do not say that nothing was done.
  if (status >= 500 || status === 408)
    return new ProviderFailure('PROVIDER_ERROR', {
      isCertain: false,
      isFault: true,
      cause,
      answeredWith: status,
    });
  if (status === 402 || has(known.insufficientFunds))
    return new ProviderFailure('INSUFFICIENT_BALANCE', refused);
  if (has(known.numberUnavailable)) return new ProviderFailure('NUMBER_UNAVAILABLE', refused);
  return new ProviderFailure('PROVIDER_ERROR', refused);
};

/** The failure of a request that was not even tried. */
export const notTried = (cause: unknown): ProviderFailure =>
  new ProviderFailure('PROVIDER_UNAVAILABLE', {
    isCertain: true,
    isFault: false,
    cause,
    retryAfterSeconds: 10,
  });
