// The operations that can fail on demand, and S3's wording of the failures.
import { type FaultAnswers, FaultSwitches } from '@parlance/fake-kit';
import { S3Error, sendError } from './s3-error.js';

const targets = ['put', 'get', 'head', 'delete', 'list'] as const;
export type S3Target = (typeof targets)[number];
export type S3Faults = FaultSwitches;

/** `put` is also copying and creating buckets, `delete` also deleting many objects or a bucket. */
export const createS3Faults = (): S3Faults => new FaultSwitches(targets);

export const faultAnswers: FaultAnswers = {
  clientError: (response) => sendError(response, new S3Error('InvalidRequest', 'Refused on demand')),
  // S3 has no 429: its answer asks to slow down, without a number of seconds.
  rateLimited: (response) => sendError(response, new S3Error('SlowDown', 'Please reduce your request rate.')),
  serverError: (response) =>
    sendError(response, new S3Error('InternalError', 'We encountered an internal error. Please try again.')),
};
