// The common parts of all benches of engines: a server as a process, its cost, and the figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One figure; latencies in milliseconds, of one operation from the caller's side. */
export interface EngineRow {
  readonly what: string;
  readonly perSecond: number;
  readonly p50?: number;
  readonly p99?: number;
  readonly note: string;
}

export interface Measured {
  readonly operations: number;
  /** Milliseconds of CPU the server spent. */
  readonly cpu: number;
  readonly seconds: number;
  /** Milliseconds, in order. */
  readonly latencies: readonly number[];
}

/** Memory of a process in MiB, each page shared out among those that map it. */
export interface Memory {
  readonly total: number;
  /** Memory outside of mapped files. */
  readonly own: number;
  /** The process's part of mapped files: page cache, which the system takes back when it needs memory. */
  readonly mapped: number;
}

export interface BenchServer {
  readonly pid: number;
  /** The first line that it printed. */
  readonly url: string;
  /** Kills it and deletes its directory. */
  stop(): Promise<void>;
}

/**
 * Starts `node` with these arguments on a new directory; the server is to print its URL once it listens.
 *
 * @throws Error if it ends before that
 */
export const startServer = async (
  name: string,
  argumentsFor: (dataDir: string) => readonly string[],
): Promise<BenchServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), `parlance-bench-${name}-`));
  const child = spawn(process.execPath, argumentsFor(dataDir), { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  const first = await Promise.race([once(child.stdout, 'data'), exited.then(() => undefined)]);
  if (first === undefined || child.pid === undefined) {
    await stop();
    throw new Error(`the ${name} server ended before it listened`);
  }
  return { pid: child.pid, url: String(first[0]).trim(), stop };
};

/** Milliseconds of CPU that a process has used, all threads; clock ticks are a hundredth of a second on Linux. */
export const cpuMilliseconds = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
};

/** The memory as Linux counts it (Pss); all 0 where there is no `/proc`. */
export const memory = async (pid: number): Promise<Memory> => {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const mebibytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? '0') / 1_024);
  return { total: mebibytes('Pss'), own: mebibytes('Pss_Anon'), mapped: mebibytes('Pss_File') };
};

export const describeMemory = ({ total, own, mapped }: Memory): string =>
  `${total} MiB: ${own} its own, ${mapped} mapped files`;

/** Runs `operation` from `workers` at once until the time is up; one run counts as `units` operations. */
export const measure = async (
  { pid, seconds, workers, units = 1 }: { pid: number; seconds: number; workers: number; units?: number },
  operation: () => Promise<unknown>,
): Promise<Measured> => {
  const latencies: number[] = [];
  const cpuBefore = await cpuMilliseconds(pid);
  const begin = performance.now();
  const end = begin + seconds * 1_000;
  const work = async (): Promise<void> => {
    for (let now = performance.now(); now < end; ) {
      await operation();
      const done = performance.now();
      latencies.push(done - now);
      now = done;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return {
    operations: latencies.length * units,
    cpu: (await cpuMilliseconds(pid)) - cpuBefore,
    seconds: (performance.now() - begin) / 1_000,
    latencies: latencies.sort((a, b) => a - b),
  };
};

/** The measured figures as a row; its note ends with the server's cost of one operation. */
export const rowOf = (
  what: string,
  { operations, cpu, seconds, latencies }: Measured,
  note = '',
): EngineRow => {
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const each = `${((1_000 * cpu) / operations).toFixed(1)} µs of the server's CPU each`;
  return {
    what,
    perSecond: Math.round(operations / seconds),
    p50: at(0.5),
    p99: at(0.99),
    note: note === '' ? each : `${note}; ${each}`,
  };
};
