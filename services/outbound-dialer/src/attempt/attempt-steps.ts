// Records the outcome of an attempt. Only the calling process has seen the outcome, so recording it is tried for a
// while.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { Standing } from '@parlance/event-sourcing';
import { attempts, counter } from '@parlance/metrics';
import type { Clock, Logger } from '@parlance/observability';
import type { OutboundCallCommand } from '../domain/outbound-call/outbound-call.js';
import type { Dialing, OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { RecordedEnds } from './recorded-ends.js';

/** An outcome that only this process knows is worth this much patience with the event store. */
const recordPatienceMs = 30_000;

const outcomes = counter(attempts);

/** Counts the outcome of an attempt: once, when the outcome is in the stream. */
export const countAttempt = (outcome: string): void => outcomes.add({ 'parlance.attempt.outcome': outcome });

/** Steps of an attempt; the attempt is filled in here. */
type Step = Exclude<
  OutboundCallCommand,
  {
    type:
      | 'PlaceCall'
      | 'StartAttempt'
      | 'PlaceAndStart'
      | 'CancelCall'
      | 'EndAttempt'
      | 'RetryCall'
      | 'SettleCall';
  }
>;
type WithoutPlace<T> = T extends unknown ? Omit<T, 'attemptId' | 'now'> : never;
export type StepOf = WithoutPlace<Step>;

/** The attempt that a step belongs to. */
export interface AttemptPlace {
  readonly id: string;
  readonly state: Pick<Dialing, 'placed' | 'current'>;
  /** The state of the call, if it was read just now. */
  readonly known?: Standing<OutboundCall>;
}

export interface AttemptStepsOptions {
  readonly calls: OutboundCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ends: Pick<RecordedEnds, 'add'>;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const outcomeOf = (step: StepOf): string | undefined => {
  switch (step.type) {
    case 'RecordAnswer':
      return 'answered';
    case 'RecordRefusal':
      return step.status;
    case 'RecordDoubt':
      return 'in_doubt';
    case 'Adopt':
      return 'adopted';
    case 'Abandon':
      return 'abandoned';
    case 'GiveUp':
      return 'unknown';
    case 'RecordHangUp':
      return undefined;
  }
};

/** Whether the same may succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof AppError && (error.status >= 503 || error.code === 'CONFLICT');

/** No attempt is in progress any more, or only another one. */
const isOver = (state: OutboundCall, callId: string): boolean =>
  state.phase === 'queued' ||
  state.phase === 'ended' ||
  (state.phase !== 'absent' && state.current.callId !== callId);

export class AttemptSteps {
  readonly #options: AttemptStepsOptions;

  constructor(options: AttemptStepsOptions) {
    this.#options = options;
  }

  async record({ id, state, known }: AttemptPlace, step: StepOf): Promise<OutboundCall> {
    const { calls, clock, logger, ends, pause = delay } = this.#options;
    const { attemptId, callId } = state.current;
    const givesUpAt = clock.now().getTime() + recordPatienceMs;
    const name = step.type === 'Adopt' && step.isAnswered ? 'AdoptAnswered' : step.type;
    // A step that may already be recorded, without an answer for us, is decided anew on the stream.
    let start = known === undefined ? {} : { known };
    for (let wait = 100; ; wait = Math.min(wait * 2, 2_000), start = {}) {
      const now = clock.now().toISOString();
      const meta = stepMeta(state.placed.organizationId, attemptId, name, now);
      try {
        const handled = await calls(id, { ...step, attemptId, now }, meta, start);
        const outcome = outcomeOf(step);
        if (outcome !== undefined && handled.events.length > 0) countAttempt(outcome);
        if (isOver(handled.state, callId)) ends.add(callId);
        return handled.state;
      } catch (error) {
        if (!isPassing(error) || clock.now().getTime() >= givesUpAt) throw error;
        logger.warn({ attemptId, step: name, err: error }, 'step of an attempt deferred');
        await pause(wait);
      }
    }
  }
}
