// A real MongoDB on loopback, where its server is installed.
import { mkdirSync } from 'node:fs';
import { type Child, dyingWithParent, startChild } from './child-process.js';
import { onPath } from './on-path.js';
import { reachable } from './ports.js';

export interface MongodOptions {
  /** Made if absent. */
  readonly dataDir: string;
  readonly logFile: string;
  readonly port: number;
  /** Path of the server's binary. */
  readonly binary: string;
}

export interface Mongod extends Pick<Child, 'crash' | 'stop' | 'pid'> {
  readonly url: string;
}

/** Path of an installed MongoDB server. */
export const findMongod = (): string | undefined => onPath('mongod');

/**
 * A single server, not a replica set: the platform asks for nothing that needs one, and it is ready in one step.
 * Resolves when it listens.
 */
export const startMongod = async ({ dataDir, logFile, port, binary }: MongodOptions): Promise<Mongod> => {
  mkdirSync(dataDir, { recursive: true });
  const child = await startChild({
    name: 'mongod',
    command: dyingWithParent(
      [binary, '--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--quiet'],
      'TERM',
    ),
    logFile,
    pidFile: `${dataDir}.pid`,
    probe: () => reachable(port),
  });
  return { ...child, url: `mongodb://127.0.0.1:${port}` };
};
