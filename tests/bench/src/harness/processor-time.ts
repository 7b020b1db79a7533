// The processor time of the platform's parts, as the kernel counts it: other work of the machine changes little about it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Stat {
  readonly parent: number;
  /** The ticks of the process and of its ended children. */
  readonly ticks: number;
}

const statOf = (pid: string): Stat | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, which may contain anything, is in parentheses; proc(5) counts the fields from before it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // ended meanwhile
  }
};

/**
 * Milliseconds that each of these processes has used so far, with all of its descendants that are not another one's.
 * @param pids by name
 */
export const processorMs = (
  pids: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> => {
  const nameOf = new Map(Object.entries(pids).map(([name, pid]) => [pid, name]));
  const stats = new Map<number, Stat>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(entry) : undefined;
    if (stat !== undefined) stats.set(Number(entry), stat);
  }
  const ownerOf = (pid: number): string | undefined => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) {
      const name = nameOf.get(at);
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const used: Record<string, number> = {};
  for (const [pid, { ticks }] of stats) {
    const name = ownerOf(pid);
    if (name !== undefined) used[name] = (used[name] ?? 0) + (ticks * 1_000) / ticksPerSecond;
  }
  return used;
};

/** The sum over all processes. */
export const sumOf = (used: Readonly<Record<string, number>>): number =>
  Object.values(used).reduce((all, ms) => all + ms, 0);

/** The time used between two readings, divided by `count`. */
export const usedSince = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  count: number,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / count]));
