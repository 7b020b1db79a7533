// The processor's time that the platform has used: unlike the time on the clock, it hardly hangs on what else runs.
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its own clock does. */
const tickMs = 10;

/** Fields of /proc/<pid>/stat behind the name, which may hold anything. */
const ticksOf = (pid: number, withEnded: boolean): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return user + system + (withEnded ? endedUser + endedSystem : 0);
  } catch {
    return 0; // gone meanwhile, or a system without /proc
  }
};

const childrenOf = (pid: number): number[] => {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

/** Milliseconds so far of these processes and their children, also of those that have ended. */
export const cpuMs = (pids: Readonly<Record<string, number | undefined>>): number =>
  Object.values(pids).reduce((sum: number, pid) => {
    if (pid === undefined) return sum;
    // The gateway's children are among the processes themselves; the database's are its connections.
    const isDatabase = pid === pids.postgres;
    const children = isDatabase ? childrenOf(pid).map((child) => ticksOf(child, false)) : [];
    return sum + tickMs * children.reduce((all, ticks) => all + ticks, ticksOf(pid, isDatabase));
  }, 0);
