// What the storage's refusals mean.
import { S3ServiceException } from '@aws-sdk/client-s3';
import { AppError } from '@parlance/errors';

/** The object is not there. A bucket that is not there is a mistake of the installation. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** @throws AppError STORAGE_UNAVAILABLE, whatever it was: nobody can do more about it than try again */
export const storageError = (cause: unknown): never => {
  throw new AppError('STORAGE_UNAVAILABLE', { cause });
};
