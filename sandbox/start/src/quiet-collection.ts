// Collects garbage when a process is quiet and its heap has grown. V8 collects when memory is allocated, so an idle process would keep
// the heap of its start or its last busy minutes, and compiled code that no longer runs.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookEveryMs = 20_000;
/** Share of a core below which a process counts as quiet. */
const quietShare = 0.1;
/** Size of the heap that is worth a collection, by its size after the one before. */
const growth = 1.25;

/** V8 also drops code that has not run lately, and returns pages to the system. */
const collectThoroughly = (): void => {
  setFlagsFromString('--expose-gc');
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};

export interface Heap {
  bytes(): number;
  collect(): void;
}

const ownHeap: Heap = { bytes: () => getHeapStatistics().total_heap_size, collect: collectThoroughly };

/** Watches this process as long as it lives. */
export const collectWhenQuiet = (heap = ownHeap): void => {
  let kept = 0;
  let before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const isQuiet = (user + system) / 1_000 < quietShare * lookEveryMs;
    if (!isQuiet || heap.bytes() < growth * kept) return;
    heap.collect();
    kept = heap.bytes();
  }, lookEveryMs).unref();
};
