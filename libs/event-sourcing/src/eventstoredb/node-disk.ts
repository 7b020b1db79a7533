// The disk under the data of an event store's node, as the node tells it; for tools that look.
import { Metadata } from '@grpc/grpc-js';
import type { Secret } from '@parlance/config';
import { monitoring, monitoringGrpc, parseConnectionString } from './client-internals.js';
import { channelOf, storeAddress } from './cluster.js';

export interface NodeDisk {
  /** The name of the disk at the node. */
  readonly name: string;
  readonly totalBytes: number;
  readonly availableBytes: number;
}

/** One answer is enough: the next one would come after this time. */
const refreshMs = '600000';

/** Credentials travel over TLS only, as in the client. */
const metadataOf = (url: Secret): Metadata => {
  const { defaultCredentials: user, tls } = parseConnectionString(url.reveal());
  const metadata = new Metadata();
  if (user !== undefined && tls !== false)
    metadata.set(
      'authorization',
      `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`,
    );
  return metadata;
};

const diskIn = (statistics: ReadonlyMap<string, string>): NodeDisk | undefined => {
  for (const [key, total] of statistics) {
    const name = /^sys-drive-(.+)-totalBytes$/.exec(key)?.[1];
    const available = statistics.get(`sys-drive-${name}-availableBytes`);
    if (name !== undefined && available !== undefined)
      return { name, totalBytes: Number(total), availableBytes: Number(available) };
  }
  return undefined;
};

/**
 * Undefined where the node tells no such statistics.
 * @param node host and port
 * @throws the error of the call, such as a refusal of the user
 */
export const nodeDisk = async (
  url: Secret,
  node: string,
  deadlineMs = 2_000,
): Promise<NodeDisk | undefined> => {
  const client = new monitoringGrpc.MonitoringClient(node, await channelOf(storeAddress(url)));
  const request = new monitoring.StatsReq().setUseMetadata(false).setRefreshTimePeriodInMs(refreshMs);
  const answers = client.stats(request, metadataOf(url), { deadline: Date.now() + deadlineMs });
  try {
    return await new Promise((resolve, reject) => {
      answers.on('data', (answer: InstanceType<typeof monitoring.StatsResp>) => {
        resolve(diskIn(new Map(answer.getStatsMap().toArray())));
      });
      answers.on('end', () => resolve(undefined));
      answers.on('error', reject);
    });
  } finally {
    answers.cancel();
    client.close();
  }
};
