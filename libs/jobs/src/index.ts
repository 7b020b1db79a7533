export { type BackOff, backOffMs } from './back-off.js';
export { FairSlots, fairlyPicked } from './fair-share.js';
export {
  type Change,
  JobQueue,
  type JobTable,
  type Lease,
  type Leased,
  type LeaseHolder,
} from './job-queue.js';
export { type Iteration, runDue, type Work } from './run-due.js';
export { type JobsOptions, startJobs, withLag } from './start-jobs.js';
