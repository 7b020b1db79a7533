// Ports that processes of this machine have chosen, as files that all of them see. A program that is started again on its port finds it
// free, because no other process has chosen it in the meantime. A claim ends with its process.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), `parlance-ports-${userInfo().username}`);
const own = new Set<string>();

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user lives, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const write = (file: string): boolean => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
};

/** A claim of a process that has ended, or an unreadable one. */
const isStale = (file: string): boolean => {
  try {
    return !isAlive(Number(readFileSync(file, 'utf8')));
  } catch {
    return true;
  }
};

const giveBack = (): void => {
  for (const file of own) rmSync(file, { force: true });
};

/** @returns false where another process that lives has chosen the port */
export const claimPort = (port: number): boolean => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, String(port));
  if (!write(file)) {
    if (!isStale(file)) return false;
    rmSync(file, { force: true });
    if (!write(file)) return false;
  }
  if (own.size === 0) process.once('exit', giveBack);
  own.add(file);
  return true;
};
