// Places in which a test makes a process die or sleep, so that it sees other processes recover. Nothing happens at them
// in a process without such an order.

export const crashPointNames = [
  'place.afterAppend',
  'dial.afterClaim',
  'dial.afterStart',
  'dial.afterRoom',
  'dial.beforeRequest',
  'dial.duringRequest',
  'dial.afterRequest',
  'dial.afterRecord',
  'recover.beforeRecord',
  'recover.afterRecord',
  'cancel.afterAppend',
  'hangUp.afterDelete',
  'settle.afterAppend',
  'campaign.afterStep',
  'campaign.afterClaim',
  'spend.afterReserve',
  'spend.beforeSettled',
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

/** Plays a machine that is put to sleep: after it wakes up, nothing has changed, and everything is late. */
export const stopSelf = (): void => {
  process.kill(process.pid, 'SIGSTOP');
};

/** Long enough for a request to be on the wire, shorter than any phone is answered. */
const duringMs = 100;

/** Dies at one point, the first time it is reached, as a machine does that loses its power. */
export const crashingAt = (wanted: CrashPoint, die: () => void = killSelf): CrashPoints => {
  let isReached = false;
  const isFirst = (point: CrashPoint): boolean => {
    if (point !== wanted || isReached) return false;
    isReached = true;
    return true;
  };
  return {
    at: (point) => {
      if (isFirst(point)) die();
    },
    during: (point) => {
      if (isFirst(point)) setTimeout(die, duringMs);
    },
  };
};

/** Crash points that mean nothing until they are armed; armed again, they work again. */
export interface ArmedCrashPoints extends CrashPoints {
  arm(): void;
}

/** @param make makes the crash points that hold from the moment of arming on */
export const onceArmed = (make: () => CrashPoints): ArmedCrashPoints => {
  let armed = noCrashPoints;
  return {
    at: (point) => armed.at(point),
    during: (point) => armed.during(point),
    arm: () => {
      armed = make();
    },
  };
};
