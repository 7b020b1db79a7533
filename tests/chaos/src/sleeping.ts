// Whether a process has been stopped, as the system tells.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DialerProcess } from './dialer-process.js';

const run = promisify(execFile);
const everyMs = 150;

const isStopped = async (pid: number): Promise<boolean> => {
  const { stdout } = await run('ps', ['-o', 'state=', '-p', String(pid)]);
  return stdout.trim().startsWith('T');
};

/** Resolves with true when it is stopped; with false when it serves for so long and is not, or has died before. */
export const untilStopped = async (dialer: DialerProcess, timeoutMs: number): Promise<boolean> => {
  let deadline = Number.POSITIVE_INFINITY;
  void dialer.serving.then(() => {
    deadline = Date.now() + timeoutMs;
  });
  while (Date.now() < deadline && dialer.isAlive()) {
    if (await isStopped(dialer.pid).catch(() => false)) return true;
    await pause(everyMs);
  }
  return false;
};
