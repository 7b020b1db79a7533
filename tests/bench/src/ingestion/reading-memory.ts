// The most memory of the processes that read documents. They come and go, so that they are looked at all the time.
import { readFileSync } from 'node:fs';
import { peakOf } from '../campaigns/memory.js';

const everyMs = 20;

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // ended meanwhile
  }
};

const readersOf = (pid: number): number[] =>
  textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => textOf(`/proc/${child}/cmdline`).includes('reading/child.js'));

export interface ReadingMemory {
  /** Resolves with the most that one process held, in MiB, and with the number of processes. */
  stop(): { readonly mebibytes: number; readonly processes: number };
}

/** @param pid of the service */
export const watchReaders = (pid: number): ReadingMemory => {
  const peaks = new Map<number, number>();
  const look = (): void => {
    for (const reader of readersOf(pid)) {
      const peak = textOf(`/proc/${reader}/status`) === '' ? Number.NaN : peakOf(reader);
      if (!Number.isNaN(peak)) peaks.set(reader, peak);
    }
  };
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return { mebibytes: Math.max(0, ...peaks.values()), processes: peaks.size };
    },
  };
};
