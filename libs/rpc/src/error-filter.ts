// The one place that turns an error of a handler into the part that the caller may know.
import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import { type Observable, throwError } from 'rxjs';

/** An AppError as it is; anything else is a bug, is logged, and becomes INTERNAL_ERROR. */
export const toAppError = (error: unknown, logger: Logger): AppError => {
  if (!(error instanceof AppError)) {
    logger.error({ err: error }, 'request failed');
    return new AppError('INTERNAL_ERROR', { cause: error });
  }
  if (error.status === 500) logger.error({ err: error }, 'request failed');
  else if (error.status > 500) logger.warn({ err: error }, 'request could not be served');
  return error;
};

/** Nest would flatten an error to a sentence; codes have to survive. */
@Catch()
export class AppErrorFilter implements RpcExceptionFilter {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown): Observable<never> {
    const known = toAppError(error, this.#logger);
    return throwError(() => known);
  }
}
