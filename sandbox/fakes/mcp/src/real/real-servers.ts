// The Model Context Protocol's reference servers from npm, each over both HTTP transports on loopback.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEverythingServer } from './everything-server.js';
import { programOf } from './program.js';
import { bridgeStdio, type StdioProgram } from './stdio-bridge.js';

export const realServerNames = ['everything', 'filesystem', 'memory', 'sequential-thinking'] as const;
export type RealServerName = (typeof realServerNames)[number];

export interface RealServer {
  readonly name: RealServerName;
  /** Streamable HTTP. */
  readonly url: string;
  /** HTTP with server-sent events. */
  readonly sseUrl: string;
  /** Process ids that serve it now. */
  children(): readonly number[];
  stop(): Promise<void>;
}

export interface RealServers {
  readonly servers: Readonly<Record<RealServerName, RealServer>>;
  /** The folder that the filesystem server shows; `greeting.txt` in it says "good day". */
  readonly folder: string;
  /** Ends every server, its children, and the folder. */
  stop(): Promise<void>;
}

const programs = (folder: string): Readonly<Record<Exclude<RealServerName, 'everything'>, StdioProgram>> => ({
  filesystem: { path: programOf('@modelcontextprotocol/server-filesystem'), args: [folder] },
  memory: {
    path: programOf('@modelcontextprotocol/server-memory'),
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  },
  'sequential-thinking': { path: programOf('@modelcontextprotocol/server-sequential-thinking') },
});

/** Resolves when all of them are served. */
export const startRealServers = async (): Promise<RealServers> => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-mcp-'));
  await writeFile(join(folder, 'greeting.txt'), 'good day');
  const { filesystem, memory, 'sequential-thinking': thinking } = programs(folder);
  const [everything, ...bridges] = await Promise.all([
    startEverythingServer(),
    bridgeStdio(filesystem),
    bridgeStdio(memory),
    bridgeStdio(thinking),
  ]);
  const servers = {
    everything: { name: 'everything', ...everything },
    filesystem: { name: 'filesystem', ...bridges[0] },
    memory: { name: 'memory', ...bridges[1] },
    'sequential-thinking': { name: 'sequential-thinking', ...bridges[2] },
  } as const satisfies Record<RealServerName, RealServer>;
  return {
    servers,
    folder,
    stop: async () => {
      await Promise.all(Object.values(servers).map((server) => server.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};
