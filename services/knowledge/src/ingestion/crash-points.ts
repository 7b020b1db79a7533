// Places in which a process can be made to die, so that tests see what the others make of it. Nothing happens at them
// unless the process was told to die at one.

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

/** The process has come to this point. */
export type CrashAt = (point: CrashPoint) => void;

export const neverCrash: CrashAt = () => undefined;

/** Dies the first time the point is reached, as a machine does that loses its power. */
export const crashingAt =
  (wanted: CrashPoint): CrashAt =>
  (point) => {
    if (point === wanted) process.kill(process.pid, 'SIGKILL');
  };
