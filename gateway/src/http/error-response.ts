// The one place where an error becomes an HTTP answer. Any error that is no AppError is a bug: the answer says so, and
// nothing more.
import { AppError, errorCodes, validationError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import type { ErrorRequestHandler, Response } from 'express';
import { concurrencyOf, setConcurrencyHeaders } from '../limits/limit-headers.js';
import { sendJson } from './answer.js';

/** Seconds, for a retryable error that does not say when. */
const defaultRetryAfter = 1;

interface HttpError {
  readonly status: number;
  readonly type: string | undefined;
}

// Errors of Express and of its body reader: an Error with a status and sometimes a type.
const asHttpError = (error: unknown): HttpError | undefined => {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  return {
    status: error.status,
    type: 'type' in error && typeof error.type === 'string' ? error.type : undefined,
  };
};

const fromHttpError = (error: HttpError, cause: unknown): AppError => {
  switch (error.type) {
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE', { cause });
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause });
    case 'request.aborted':
    case 'request.size.invalid':
    case 'stream.not.readable':
      return validationError([
        { path: 'body', code: 'incomplete', message: 'ended before its announced length' },
      ]);
    default:
      return error.status === 400
        ? validationError([
            { path: 'path', code: 'invalid_encoding', message: 'is not valid percent-encoding' },
          ])
        : new AppError('INTERNAL_ERROR', { cause });
  }
};

/** The AppError behind any thrown value. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const httpError = asHttpError(error);
  const isAborted = httpError?.type === 'stream.not.readable';
  return httpError === undefined || (httpError.status >= 500 && !isAborted)
    ? new AppError('INTERNAL_ERROR', { cause: error })
    : fromHttpError(httpError, error);
};

/** The body of an error answer. */
export const errorBody = (error: AppError, requestId: string): string =>
  JSON.stringify({
    success: false,
    message: error.message,
    error: {
      code: error.code,
      details: error.details,
      requestId,
      ...(errorCodes[error.code].retryable ? { retryable: true } : {}),
    },
  });

/** Sets the header with the time to come back. */
export const setRetryAfter = (response: Response, error: AppError): void => {
  const { retryAfterSeconds } = error;
  if (error.status === 429 || error.status === 503 || retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds ?? defaultRetryAfter))));
};

/** A failure of ours leaves its cause in the log, because the answer has none. */
export const logFailure = (logger: Logger, error: AppError): void => {
  const fields = { code: error.code, ...(error.cause === undefined ? {} : { err: error.cause }) };
  if (error.status === 500) logger.error(fields, 'request failed');
  else if (error.status > 500) logger.warn(fields, 'request failed');
};

/** Last in the chain. */
export const errorResponse =
  (logger: Logger): ErrorRequestHandler =>
  (thrown, _request, response, next) => {
    const error = toAppError(thrown);
    logFailure(logger, error);
    if (response.headersSent) {
      next(thrown);
      return;
    }
    setRetryAfter(response, error);
    const concurrency = concurrencyOf(error);
    if (concurrency !== undefined) setConcurrencyHeaders(response, concurrency);
    sendJson(response, error.status, errorBody(error, response.locals.requestId));
  };
