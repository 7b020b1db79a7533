// What can fail on demand.
import { type Fault, type FaultMode, FaultSwitches } from '@parlance/sandbox-kit';

/**
 * The server answers like a node of a cluster that is not the leader. It is not ready, it knows no leader, or the leader is
 * elsewhere. With `node-lost` it leads, and one of the two other nodes is dead.
 */
const leaderModes = ['none', 'lost', 'elsewhere', 'node-lost'] as const;
type LeaderMode = (typeof leaderModes)[number];

export type EventStoreFault = Fault<FaultMode | LeaderMode>;
export type EventStoreFaults = FaultSwitches<LeaderMode>;

/**
 * `append` is also deleting; `read` is every read that ends; `subscribe` is hit when a subscription begins; `leader` is hit
 * by every call, and by every append of a batch.
 */
export const createEventStoreFaults = (): EventStoreFaults =>
  new FaultSwitches(['append', 'read', 'subscribe'], { leader: leaderModes });
