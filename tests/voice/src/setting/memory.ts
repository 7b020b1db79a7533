// Resident memory of processes, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

const sampleMs = 1_000;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended, or this is not Linux.
    return '';
  }
};

const kilobytesIn = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);

/** The process and all that it has started. */
const treeOf = (pid: number): readonly number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name))
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]));
  const tree = [pid];
  for (let index = 0; index < tree.length; index += 1)
    for (const [child, parent] of parents) if (parent === tree[index]) tree.push(child);
  return tree;
};

export interface Memory {
  /** Peak of all processes together. Pages that they share count for each. */
  readonly peakMb: number;
  /** Peak of the largest process. */
  readonly largestMb: number;
}

export interface Watch {
  peak(): Memory;
  stop(): void;
}

const inMb = (kilobytes: number): number => Math.round(kilobytes / 1_024);

export const watchMemory = (pid: number | undefined): Watch | undefined => {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  let [peak, largest] = [0, 0];
  const sample = (): void => {
    const statuses = treeOf(pid).map((one) => read(`/proc/${one}/status`));
    peak = Math.max(
      peak,
      statuses.reduce((sum, status) => sum + kilobytesIn(status, 'VmRSS'), 0),
    );
    largest = Math.max(largest, ...statuses.map((status) => kilobytesIn(status, 'VmHWM')));
  };
  const timer = setInterval(sample, sampleMs);
  return {
    peak: () => {
      sample();
      return { peakMb: inMb(peak), largestMb: inMb(largest) };
    },
    stop: () => clearInterval(timer),
  };
};
