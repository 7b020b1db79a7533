// Places in the code at which a test can make a process die, to see the other processes recover. A place does nothing
// in a process without such an order.

export const crashPointNames = [
  'ingest.afterClaim',
  'ingest.afterList',
  'ingest.afterFetch',
  'ingest.afterRead',
  'ingest.afterPage',
  'ingest.afterKept',
  'ingest.afterIndex',
  'ingest.afterSwap',
  'leftovers.afterPiece',
] as const;
export type CrashPoint = (typeof crashPointNames)[number];

/** Called when the process reaches the point. */
export type CrashAt = (point: CrashPoint) => void;

export const neverCrash: CrashAt = () => undefined;

/** Kills the process when it first reaches the point, as a loss of power would. */
export const crashingAt =
  (wanted: CrashPoint): CrashAt =>
  (point) => {
    if (point === wanted) process.kill(process.pid, 'SIGKILL');
  };
