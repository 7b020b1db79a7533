// The meaning of a failure of the media server, except for a failed dial.
import { AppError } from '@parlance/errors';
import { ServerError } from 'livekit-server-sdk';

export const isNotFound = (error: unknown): boolean =>
  error instanceof ServerError && (error.status === 404 || error.code === 'not_found');

/** A read or a repeatable write that failed: the server is not well, and no code of the platform is at fault. */
export const guarded = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (isNotFound(cause)) throw cause;
    throw new AppError('PROVIDER_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
  }
};
