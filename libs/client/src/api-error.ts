// The one error of this client for answers that are not a success.
import { ErrorBody } from '@parlance/contracts';
import { type ErrorCode, errorCodes } from '@parlance/errors';

/** An answer of the platform that says no: the stable code, the HTTP status and what may be shown about it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  /** To quote when asking the operator of the platform. Empty when somebody on the way answered instead of it. */
  readonly requestId: string;
  /** Seconds after which trying again can help; from the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    facts: Pick<ApiError, 'code' | 'status' | 'details' | 'requestId' | 'retryAfterSeconds'> & {
      readonly message: string;
    },
  ) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }

  /** True when the same request can succeed later. */
  get retryable(): boolean {
    return errorCodes[this.code].retryable === true;
  }
}

// What a proxy in between says with its status alone, put into the platform's words.
const codeOfStatus = (status: number): ErrorCode => {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 503) return 'SERVICE_UNAVAILABLE';
  return status === 504 ? 'UPSTREAM_TIMEOUT' : 'INTERNAL_ERROR';
};

const retryAfterOf = (response: Response): number | undefined => {
  const header = response.headers.get('retry-after');
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
};

/** Reads the error out of an answer that is not a success, whoever sent it. */
export const toApiError = (response: Response, body: unknown): ApiError => {
  const parsed = ErrorBody.safeParse(body);
  const about = { status: response.status, retryAfterSeconds: retryAfterOf(response) };
  const requestId = response.headers.get('x-request-id') ?? '';
  if (!parsed.success) {
    const code = codeOfStatus(response.status);
    return new ApiError({ ...about, code, message: errorCodes[code].message, details: undefined, requestId });
  }
  const { error, message } = parsed.data;
  return new ApiError({
    ...about,
    code: error.code,
    message,
    details: error.details,
    requestId: error.requestId,
  });
};
