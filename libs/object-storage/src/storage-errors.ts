// The meaning of the storage's refusals.
import { S3ServiceException } from '@aws-sdk/client-s3';
import { AppError } from '@parlance/errors';

/** The object is not there. A bucket that is not there is a mistake of the installation. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** The storage may be back by then. */
const usualWaitSeconds = 1;
/** A storage that asks for fewer requests needs a rest, and gets none from callers that come back at once. */
const restSeconds = 5;

/** S3 answers 503 SlowDown; the answer to HEAD has no body, and so no name for it. */
const asksForFewerRequests = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 503;

/** @throws AppError STORAGE_UNAVAILABLE for every cause: a caller can only try again */
export const storageError = (cause: unknown): never => {
  const retryAfterSeconds = asksForFewerRequests(cause) ? restSeconds : usualWaitSeconds;
  throw new AppError('STORAGE_UNAVAILABLE', { cause, retryAfterSeconds });
};
