// One node that plays its part in a cluster's trouble: it has lost its leader, or says that the leader is another.
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { EventStoreFault } from '../store/faults.js';
import type { Call } from './call.js';
import { GrpcError, STATUS } from './status.js';

/** The words of EventStoreDB in place of the leader's address, when there is no leader. */
const NO_LEADER_INFO = 'No leader info available in response';
const NOT_READY = 'Server Is Not Ready';

const notLeader = ({ host, port }: Call['address']): GrpcError =>
  new GrpcError(STATUS.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

/**
 * The refusal of a node that is not the leader. `none` refuses every call; `lost` and `elsewhere` refuse the calls that require
 * the leader.
 */
export function leaderRefusal({ mode }: EventStoreFault, call: Call): GrpcError | undefined {
  if (mode === 'none') return new GrpcError(STATUS.UNAVAILABLE, NOT_READY);
  if (!call.requiresLeader) return undefined;
  if (mode === 'lost') return new GrpcError(STATUS.UNKNOWN, NO_LEADER_INFO);
  return mode === 'elsewhere' ? notLeader(call.address) : undefined;
}

const { VNodeState } = gossip.MemberInfo;

type NodeState = (typeof VNodeState)[keyof typeof VNodeState];

/** A node of the cluster as gossip tells of it. */
const member = (host: string, port: number, state: NodeState, isAlive = true) =>
  new gossip.MemberInfo()
    .setState(state)
    .setIsAlive(isAlive)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port));

const stateIn = (mode: EventStoreFault['mode']) => {
  if (mode === 'none') return VNodeState.UNKNOWN;
  return mode === 'ok' || inTroubleElsewhere.has(mode) ? VNodeState.LEADER : VNodeState.FOLLOWER;
};
/** This node leads two others, one of which is in trouble. */
const inTroubleElsewhere = new Set<EventStoreFault['mode']>(['node-lost', 'node-apart']);

/**
 * Gossip/Read: a cluster of this node alone, or of three when one is to be lost. Discovery takes neither a node that knows no
 * leader nor one that starts.
 */
export function readGossip({ mode }: EventStoreFault, call: Call): void {
  const { host, port } = call.address;
  const others = inTroubleElsewhere.has(mode)
    ? [
        member('other-1.invalid', port, VNodeState.FOLLOWER),
        mode === 'node-lost'
          ? member('other-2.invalid', port, VNodeState.FOLLOWER, false)
          : member('other-2.invalid', port, VNodeState.READONLYLEADERLESS),
      ]
    : [];
  const members = [member(host, port, stateIn(mode)), ...others];
  call.send(new gossip.ClusterInfo().setMembersList(members).serializeBinary());
}
