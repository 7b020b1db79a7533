// What a failure of the media server means, but for a dial's.
import { AppError } from '@parlance/errors';
import { ServerError } from 'livekit-server-sdk';

export const isNotFound = (error: unknown): boolean =>
  error instanceof ServerError && (error.status === 404 || error.code === 'not_found');

/** A read or a repeatable write that failed: the server is not well, which is nobody's bug. */
export const guarded = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    if (isNotFound(cause)) throw cause;
    throw new AppError('PROVIDER_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
  }
};
