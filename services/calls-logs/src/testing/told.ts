// For tests: the events of a call after these commands, one after the other.
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import { callDecider } from '../call/call.js';
import type { CallCommand, RecordTranscript } from '../call/call-commands.js';
import type { CallEvent } from '../call/call-events.js';
import { toCallLog } from '../call/call-log.js';
import type { Call } from '../call/call-state.js';
import { ingest, organizationId, started, turn } from './facts.js';

/** The events after these commands; a command before its call is known comes again, as a message would. */
export const history = (...commands: readonly CallCommand[]): CallEvent[] => {
  const events: CallEvent[] = [];
  const waiting = [...commands];
  let refusals = 0;
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
    try {
      events.push(...callDecider.decide(command, fold(callDecider, events)));
      refusals = 0;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CALL_NOT_FOUND' || refusals > waiting.length)
        throw error;
      refusals += 1;
      waiting.push(command);
    }
  }
  return events;
};

export const callAfter = (...commands: readonly CallCommand[]): Call => {
  const state = fold(callDecider, history(...commands));
  if (state.phase === 'absent') throw new Error('no call');
  return state;
};
export const logAfter = (...commands: readonly CallCommand[]) => toCallLog('c', callAfter(...commands));
export const typesOf = (events: readonly CallEvent[]) => events.map(({ type }) => type);

const later = (seconds: number) => new Date(Date.parse(started.now) + seconds * 1_000).toISOString();
export const overdue = (seconds: number): CallCommand => ({ type: 'EndOverdue', now: later(seconds) });
export const requestEnd = {
  type: 'RequestEnd',
  now: later(1),
  organizationId,
  by: 'user:1',
  dialCancelledAt: null,
} as const;
export const remove = { type: 'DeleteCall', now: later(2), organizationId, by: 'user:1' } as const;
export const lost = { type: 'RecordRoomLost', now: later(1) } as const;
export const transcript: RecordTranscript = {
  ...ingest,
  type: 'RecordTranscript',
  costMicros: ingest.details.cost?.totalMicros ?? null,
  parts: [{ part: 0, turns: [turn(0)] }],
};
