// What can fail on demand, and how S3 words it.
import { type FaultAnswers, FaultSwitches } from '@parlance/sandbox-kit';
import { S3Error, sendError } from './s3-error.js';

const targets = ['put', 'get', 'head', 'delete', 'list'] as const;
export type S3Target = (typeof targets)[number];
export type S3Faults = FaultSwitches;

/** `put` is also copying and creating buckets, `delete` also deleting many objects or a bucket. */
export const createS3Faults = (): S3Faults => new FaultSwitches(targets);

export const faultAnswers: FaultAnswers = {
  clientError: (response) => sendError(response, new S3Error('InvalidRequest', 'Refused on demand')),
  // S3 has no 429: it asks to slow down, and does not say for how many seconds.
  rateLimited: (response) => sendError(response, new S3Error('SlowDown', 'Please reduce your request rate.')),
  serverError: (response) =>
    sendError(response, new S3Error('InternalError', 'We encountered an internal error. Please try again.')),
};
