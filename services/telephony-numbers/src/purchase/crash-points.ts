// Places in which a process can be made to die, so that tests see other processes recover. Nothing happens at them in a
// process without such an order.

export const crashPointNames = [
  'buy.afterRow',
  'buy.afterReserve',
  'buy.duringRequest',
  'buy.afterRequest',
  'buy.afterRecord',
  'buy.afterConfigure',
  'buy.afterRoute',
  'trunk.afterTermination',
  'trunk.afterCredential',
  'trunk.afterPut',
  'release.afterRow',
  'release.afterUnroute',
  'release.duringRequest',
  'release.afterRequest',
] as const;
export type CrashPoint = (typeof crashPointNames)[number];

export interface CrashPoints {
  /** The process has come to this point. */
  at(point: CrashPoint): void;
  /** Something that takes time has begun; the process dies while it goes on. */
  during(point: CrashPoint): void;
}

export const noCrashPoints: CrashPoints = { at: () => undefined, during: () => undefined };

const killSelf = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Long enough for a request to be on the wire. */
const duringMs = 100;

/** Dies at one point, the first time it is reached, as a machine does that loses its power. */
export const crashingAt = (wanted: CrashPoint, die: () => void = killSelf): CrashPoints => ({
  at: (point) => {
    if (point === wanted) die();
  },
  during: (point) => {
    if (point === wanted) setTimeout(die, duringMs);
  },
});
