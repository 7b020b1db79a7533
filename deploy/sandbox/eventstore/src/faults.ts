// What can fail on demand.
import { FaultSwitches } from '@parlance/sandbox-kit';

export type EventStoreFaults = FaultSwitches;

/** `append` is also deleting; `read` is every read that ends; `subscribe` is hit when a subscription begins. */
export const createEventStoreFaults = (): EventStoreFaults =>
  new FaultSwitches(['append', 'read', 'subscribe']);
