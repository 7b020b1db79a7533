// The nodes of an event store as they see each other, and the certificates that they show; for tools that look.
import { readFile } from 'node:fs/promises';
import { type ChannelCredentials, credentials, Metadata } from '@grpc/grpc-js';
import type { Secret } from '@parlance/config';
import { gossip, gossipGrpc, parseConnectionString, shared } from './client-internals.js';

export interface ClusterNode {
  /** Host and port. */
  readonly address: string;
  /** The state by its name in the protocol, such as `LEADER`, `FOLLOWER` or `READONLYLEADERLESS`. */
  readonly state: string;
  readonly isAlive: boolean;
}

/** The nodes of a connection string, and the rules for their certificates. */
export interface StoreAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** Undefined where no TLS is in use. */
  readonly tls: { readonly caFile: string | undefined } | undefined;
}

export const storeAddress = (url: Secret): StoreAddress => {
  const { hosts, tls, tlsCAFile } = parseConnectionString(url.reveal());
  return {
    hosts: hosts.map(({ address, port }) => ({ host: address, port })),
    tls: tls === false ? undefined : { caFile: tlsCAFile },
  };
};

const stateNames = new Map(
  Object.entries(gossip.MemberInfo.VNodeState).map(([name, value]) => [value, name]),
);

const nodeOf = (member: InstanceType<typeof gossip.MemberInfo>): ClusterNode => ({
  address: `${member.getHttpEndPoint()?.getAddress()}:${member.getHttpEndPoint()?.getPort()}`,
  state: stateNames.get(member.getState()) ?? 'UNKNOWN',
  isAlive: member.getIsAlive(),
});

/** The credentials for connections to single nodes. */
export const channelOf = async ({ tls }: StoreAddress): Promise<ChannelCredentials> =>
  tls === undefined
    ? credentials.createInsecure()
    : credentials.createSsl(tls.caFile === undefined ? null : await readFile(tls.caFile));

const askNode = async (url: Secret, target: string, deadlineMs: number): Promise<readonly ClusterNode[]> => {
  const client = new gossipGrpc.GossipClient(target, await channelOf(storeAddress(url)));
  try {
    return await new Promise((resolve, reject) => {
      client.read(new shared.Empty(), new Metadata(), { deadline: Date.now() + deadlineMs }, (error, info) =>
        error ? reject(error) : resolve(info.getMembersList().map(nodeOf)),
      );
    });
  } finally {
    client.close();
  }
};

/**
 * The states of all nodes, as told by the first node that answers.
 * @throws the error of the last one where none answers
 */
export const clusterNodes = async (url: Secret, deadlineMs = 2_000): Promise<readonly ClusterNode[]> => {
  let failure: unknown = new Error('the address names no node');
  for (const { host, port } of storeAddress(url).hosts) {
    try {
      return await askNode(url, `${host}:${port}`, deadlineMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};
