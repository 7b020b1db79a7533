// The stand-in as a process of its own, from the entry that `npm test` has built, for tests that measure it or kill it.
// Also the helpers that every such test needs.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Account } from '../conformance/support.js';

export const keys = { accessKeyId: 'test', secretAccessKey: 'a secret for tests' };
export const controlToken = 'control';

export interface ServerProcess {
  readonly account: Account;
  readonly pid: number;
  /** Resolves when it is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

const packageDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Resolves when it listens. */
export const startServer = async (dataDir: string, ...more: string[]): Promise<ServerProcess> => {
  const args = [join(packageDir, 'dist/main.js'), '--data-dir', dataDir, ...more];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      SANDBOX_CONTROL_TOKEN: controlToken,
    },
  });
  const exited = once(child, 'exit');
  if (child.stdout === null || child.pid === undefined) throw new Error('the server did not start');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    account: { url: String(url), ...keys },
    pid: child.pid,
    kill: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
};

/** The files in which a data directory has the contents of objects. */
export const contentFiles = (dataDir: string): string[] => readdirSync(join(dataDir, 'content'));

/** Waits until the condition is true. @throws Error when it is still false after a minute */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 60_000; !(await condition()); ) {
    if (Date.now() > deadline) throw new Error(`still not so: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
