// The meaning of a failure of the media server, except for a failed dial.
import { AppError } from '@parlance/errors';
import { ServerError } from 'livekit-server-sdk';

export const isNotFound = (error: unknown): boolean =>
  error instanceof ServerError && (error.status === 404 || error.code === 'not_found');

/** The error of a failed read or repeatable write: the server is not well, and the platform is not at fault. */
export const guarded = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (isNotFound(cause)) throw cause;
    throw new AppError('PROVIDER_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
  }
};
