// An event that a newer release has written. It is neither skipped nor set aside: a process that meets it stops before
// it, and goes on after its upgrade.
import { AppError } from '@parlance/errors';

/** Seconds after which it makes sense to try again: an upgrade is under way, or has to be begun. */
const retryAfterSeconds = 10;

export class NewerEvent extends AppError {
  /** The reason for the operator. It names no stream, because readiness reports are public. */
  readonly reason: string;

  /** @param version undefined for a type that is not known at all, where the event does not say */
  constructor(type: string, version: number | undefined, place = '') {
    const what = version === undefined ? type : `${type} in version ${version}`;
    const reason = `${what} is an event of a newer release: upgrade this service`;
    super('NEWER_RELEASE_NEEDED', { retryAfterSeconds, cause: new Error(`${reason}${place}`) });
    this.reason = reason;
  }
}
