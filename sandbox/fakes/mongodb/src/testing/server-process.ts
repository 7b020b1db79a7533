// The server as it is run: a process of its own, from the entry that `npm test` has built, which can be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const packageDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** Sends the signal; `exited` resolves at the end of the process. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
  /** Resolves with the exit code, or null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/** Resolves when it listens; rejects if it ends before that. `port` 0 takes a free one. */
export async function startServerProcess(dataDir: string, port = 0): Promise<ServerProcess> {
  const args = [join(packageDir, 'dist/main.js'), '--data-dir', dataDir, '--port', String(port)];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  if (child.stdout === null) throw new Error('the server has no output');
  const line = once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first));
  const url = await Promise.race([line, exited]);
  if (typeof url !== 'string') throw new Error(`the server ended with ${url} before it listened`);
  return { url, port: Number(new URL(url).port), kill: (signal) => child.kill(signal), exited };
}
