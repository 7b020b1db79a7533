// How a part of a job fails.
import type { SourceErrorCode } from '../sources/source-record.js';

/** Another try may end otherwise. */
export class TryLater extends Error {
  override readonly name = 'TryLater';
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Another job is at the host: the wait is no failure. */
export class HostBusy extends Error {
  override readonly name = 'HostBusy';
}

/** The page cannot be had, whatever is tried. */
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

/** The job is no longer this worker's: the source was deleted or changed, or another worker has the job. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}
