// The requests of a measured platform to the event store and over HTTP, counted in its processes (request-channels.ts). Works for a
// checkout of any release, because Node publishes them on its diagnostics channels.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addCounts, type Counts, subtractCounts } from './counts.js';

/** Twice the interval at which processes write their counts. */
const flushedWithinMs = 400;

export interface RequestCounts {
  /** For the environment of the platform. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs the work and counts the requests meanwhile. */
  count<T>(work: () => Promise<T>): Promise<{ readonly requests: Counts; readonly result: T }>;
  end(): void;
}

export const startRequestCounts = (): RequestCounts => {
  const folder = mkdtempSync(join(tmpdir(), 'parlance-counts-'));
  const preload = new URL('./request-channels.js', import.meta.url).href;
  const read = async (): Promise<Counts> => {
    await pause(flushedWithinMs);
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name): Counts => JSON.parse(readFileSync(join(folder, name), 'utf8')))
      .reduce(addCounts, {});
  };
  return {
    variables: {
      BENCH_REQUEST_COUNTS: folder,
      NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', `--import=${preload}`].join(' ').trim(),
    },
    count: async (work) => {
      const before = await read();
      const result = await work();
      return { requests: subtractCounts(await read(), before), result };
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
};
