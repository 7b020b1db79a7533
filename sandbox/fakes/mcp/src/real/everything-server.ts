// The everything-server serves both HTTP transports by itself: one process each.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { programOf } from './program.js';

export interface EverythingServer {
  readonly url: string;
  readonly sseUrl: string;
  children(): readonly number[];
  stop(): Promise<void>;
}

const Told = z.object({ port: z.number().int() });
const preload = new URL('../../preload/loopback.mjs', import.meta.url).href;

interface Serving {
  readonly child: ChildProcess;
  readonly port: number;
}

const serve = async (transport: 'streamableHttp' | 'sse'): Promise<Serving> => {
  const child = fork(programOf('@modelcontextprotocol/server-everything'), [transport], {
    execArgv: ['--import', preload],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const died = once(child, 'exit').then(() => {
    throw new Error(`the everything-server did not start for ${transport}`);
  });
  const [message] = await Promise.race([once(child, 'message'), died]);
  return { child, port: Told.parse(message).port };
};

const end = async ({ child }: Serving): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** Resolves when both transports are served on loopback. */
export const startEverythingServer = async (): Promise<EverythingServer> => {
  const [streamable, sse] = await Promise.all([serve('streamableHttp'), serve('sse')]);
  const servings = [streamable, sse];
  return {
    url: `http://127.0.0.1:${streamable.port}/mcp`,
    sseUrl: `http://127.0.0.1:${sse.port}/sse`,
    children: () => servings.flatMap(({ child }) => child.pid ?? []),
    stop: async () => void (await Promise.all(servings.map(end))),
  };
};
