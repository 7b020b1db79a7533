// Faults around the work of a call, worded as an event store in trouble words them.
import { setTimeout } from 'node:timers/promises';
import { AccessDeniedError } from '../store/errors.js';
import type { EventStoreFault } from '../store/faults.js';
import type { Call } from './call.js';
import { GrpcError, STATUS } from './status.js';

const unavailable = (): GrpcError => new GrpcError(STATUS.UNAVAILABLE, 'unavailable on demand');

/** Whether the work is done and its answer lost. */
export const losesAnswer = ({ mode }: EventStoreFault): boolean => mode.endsWith('-after');

/** The client no longer waits for the work of a call that has ended. */
async function untilLate(ms: number, call: Call): Promise<void> {
  const waiting = new AbortController();
  void call.until(() => waiting.signal.aborted).then(() => waiting.abort());
  await setTimeout(ms, undefined, { signal: waiting.signal }).catch(() => undefined);
  waiting.abort();
}

/** Comes before the work: throws when nothing may be done, and waits when it may be done late. */
export async function beforeWork(
  { mode, ms, retryAfterSeconds }: EventStoreFault,
  call: Call,
): Promise<void> {
  switch (mode) {
    case 'slow':
      await untilLate(ms, call);
      return;
    case 'refuse':
    case 'reset-before':
      throw call.breakConnection({ reset: mode === 'reset-before' });
    case '4xx':
      throw new AccessDeniedError('refused on demand');
    case '429':
      throw new GrpcError(STATUS.RESOURCE_EXHAUSTED, 'too many requests', {
        'retry-after': String(retryAfterSeconds),
      });
    case '5xx-before':
      throw unavailable();
    default:
  }
}

/** Comes instead of an answer that is lost, when the work is done. */
export async function afterWork({ mode }: EventStoreFault, call: Call): Promise<void> {
  if (mode === '5xx-after') throw unavailable();
  if (mode === 'reset-after') throw call.breakConnection({ reset: true });
  if (mode === 'hang-after') await call.until(() => false);
}

/** Does the work of a whole call as a fault lets it. */
export async function faultyWork(
  fault: EventStoreFault,
  call: Call,
  work: () => Promise<void>,
): Promise<void> {
  await beforeWork(fault, call);
  if (!losesAnswer(fault)) return work();
  call.mute();
  // A refusal is an answer too, and as lost.
  await work().catch(() => undefined);
  await afterWork(fault, call);
}
