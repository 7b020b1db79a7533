// The machine that the doctor runs on.
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isOwnNetwork } from './addresses.js';
import type { Machine } from './check.js';

const measuredForMs = 300;
const nanosecondsPerMs = 1e6;

export const thisMachine: Machine = {
  now: () => Date.now(),
  isOwnNetwork,
  disk: async (path) => {
    try {
      const { blocks, bavail, bsize } = await statfs(path);
      return { total: blocks * bsize, free: bavail * bsize };
    } catch {
      return undefined;
    }
  },
  nodeVersion: process.versions.node,
  eventLoopDelayMs: async () => {
    const histogram = monitorEventLoopDelay({ resolution: 10 });
    histogram.enable();
    await delay(measuredForMs);
    histogram.disable();
    return histogram.max / nanosecondsPerMs;
  },
};
