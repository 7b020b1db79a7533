// The failures of a part of a job.
import type { SourceErrorCode } from '../sources/source-record.js';

/** The most tries of one page, or of the list of pages. */
const mostTries = 5;

/** The try failed, but another try may succeed. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
  readonly mostTries: number;
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    options?: ErrorOptions & { readonly mostTries?: number },
  ) {
    super(message, options);
    this.mostTries = options?.mostTries ?? mostTries;
  }
}

/** Too many requests already wait for the host. The job waits in the queue, which does not count as a failed try. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy';
}

/** The page cannot be read, and another try would not help. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The worker no longer holds the job: the source was deleted or changed, or another worker has the job. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The turn of the job is over. The job goes back to the queue, so that other organizations get their turns. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver';
}
