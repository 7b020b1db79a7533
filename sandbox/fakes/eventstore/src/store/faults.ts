// The operations that can fail on demand.
import { type Fault, type FaultMode, FaultSwitches } from '@parlance/fake-kit';

/**
 * The server answers like a node of a cluster that is not the leader. It is not ready, it knows no leader, or the leader is
 * elsewhere. With `node-lost` it leads, and one of the two other nodes is dead. With `node-apart` that node has no leader.
 */
const leaderModes = ['none', 'lost', 'elsewhere', 'node-lost', 'node-apart'] as const;
type LeaderMode = (typeof leaderModes)[number];

/** The server's reports about the disk of its data. */
const diskModes = ['nearly-full'] as const;
type OwnMode = LeaderMode | (typeof diskModes)[number];

export type EventStoreFault = Fault<FaultMode | OwnMode>;
export type EventStoreFaults = FaultSwitches<OwnMode>;

/**
 * `append` is also deleting, and `read` is every read that ends. `subscribe` is hit when a subscription begins. `leader` is
 * hit by every call, and by every append of a batch. `disk` is hit when statistics are asked for.
 */
export const createEventStoreFaults = (): EventStoreFaults =>
  new FaultSwitches(['append', 'read', 'subscribe'], { leader: leaderModes, disk: diskModes });
