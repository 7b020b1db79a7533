// The server that the suite talks to: the one at CONFORMANCE_NATS_URL, or a nats-server of its own, which it may kill.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Nats, startNats } from '@parlance/engines';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';

export interface ConformanceTarget {
  readonly url: string;
  /** Connected as every service of the platform connects. */
  readonly connect: (name: string) => Promise<NatsConnection>;
  /** The server, where it is the suite's own. */
  readonly own: Nats | undefined;
  close(): Promise<void>;
}

const startOwn = async (): Promise<{ readonly server: Nats; close(): Promise<void> }> => {
  const directory = mkdtempSync(join(tmpdir(), 'parlance-nats-'));
  const server = await startNats({
    dataDir: join(directory, 'nats'),
    logFile: join(directory, 'nats.log'),
    cacheDir: join(process.cwd(), 'node_modules', '.cache', 'parlance'),
    token: randomBytes(12).toString('hex'),
  });
  const close = async (): Promise<void> => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { server, close };
};

export const conformanceTarget = async (): Promise<ConformanceTarget> => {
  const given = process.env.CONFORMANCE_NATS_URL;
  const own = given === undefined ? await startOwn() : undefined;
  const url = given ?? own?.server.url ?? '';
  const connections: NatsConnection[] = [];
  return {
    url,
    connect: async (name) => {
      const connection = await connectNats({ url, name });
      connections.push(connection);
      return connection;
    },
    own: own?.server,
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await own?.close();
    },
  };
};
