// Ports that processes of this machine have chosen, as files that all of them see. A program that is started again on its port finds it
// free, because no other process has chosen it in the meantime. A claim ends with its process.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

// A container may run under an id that has no name.
const user = process.getuid?.() ?? userInfo().username;
export const claimsFolder = join(tmpdir(), `parlance-ports-${user}`);
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

const holderOf = (file: string): number | undefined => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** A claim of a process that has ended, or an unreadable one. */
const isStale = (file: string): boolean => {
  const holder = holderOf(file);
  return holder === undefined || !isAlive(holder);
};

/**
 * Puts a claim of this process in the place of a stale one. Two processes may judge one claim at the same time, and the second would
 * delete the new claim of the first. So a process takes its turn first, and judges again within it.
 */
const takeOver = (file: string): boolean => {
  const turn = `${file}.turn`;
  if (!write(turn)) {
    // Its process was killed in its turn: the next try finds the way free.
    if (isStale(turn)) rmSync(turn, { force: true });
    return false;
  }
  try {
    if (!isStale(file)) return false;
    rmSync(file, { force: true });
    return write(file);
  } finally {
    rmSync(turn, { force: true });
  }
};

const giveBack = (): void => {
  for (const file of own) rmSync(file, { force: true });
};

const fileOf = (port: number): string => join(claimsFolder, String(port));

/** True where this process has chosen the port before. */
export const isClaimed = (port: number): boolean => holderOf(fileOf(port)) === process.pid;

/** @returns false where a process that lives has chosen the port, be it this one */
export const claimPort = (port: number): boolean => {
  mkdirSync(claimsFolder, { recursive: true });
  const file = fileOf(port);
  if (!write(file) && !(isStale(file) && takeOver(file))) return false;
  if (own.size === 0) process.once('exit', giveBack);
  own.add(file);
  return true;
};
