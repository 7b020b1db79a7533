import { AppError } from '@parlance/errors';

/** The error code of a refused request, or another error. Undefined for a request that succeeded. */
export const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
