import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/event-sourcing';
import {
  analysis,
  busyCall,
  heldCall,
  inboundCall,
  initiation,
  now,
  organizationId,
  pendingCall,
  recordedCall,
  recordingDeleted,
  toolRun,
} from '../testing/facts.js';
import { callDecider } from './call.js';
import type { CallCommand } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import { personalOf, withoutPersonal, withPersonal } from './call-personal.js';
import type { Call } from './call-state.js';

const run = { ...toolRun(1) };
const withAll: CallCommand = {
  ...run,
  run: { ...run.run, result: { found: 'Ada' }, assignments: { order: 'A-1' } },
};
const failed: CallCommand = {
  type: 'SettleAttempt',
  now,
  organizationId,
  end: {
    status: 'busy',
    endedReason: 'busy',
    answeredBy: null,
    answeredAt: null,
    endedAt: '2026-03-01T10:00:03.000Z',
    durationSeconds: null,
  },
  error: { reason: 'busy', detail: 'The callee said: call Ada at +14155550199.' },
};
const deleted: CallCommand = { type: 'DeleteCall', now, organizationId, by: 'user:u1' };

const histories: readonly (readonly [string, readonly CallCommand[]])[] = [
  ['a call that was held', heldCall],
  ['a busy call', busyCall],
  ['a call that failed with words', [...heldCall.slice(0, 1), failed]],
  ['an inbound call', inboundCall],
  ['a recorded call', [...recordedCall, recordingDeleted]],
  ['an analyzed call', [...pendingCall, analysis]],
  ['a call with tools', [...heldCall.slice(0, 4), initiation, withAll, ...heldCall.slice(4), toolRun(2)]],
];

const eventsOf = (commands: readonly CallCommand[]): CallEvent[] => {
  const events: CallEvent[] = [];
  for (const command of commands) events.push(...callDecider.decide(command, fold(callDecider, events)));
  return events;
};

const callAfter = (events: readonly CallEvent[]): Call => {
  const state = fold(callDecider, events);
  if (state.phase === 'absent') throw new Error('no call');
  return state;
};

/** The events as they read once the key of their stream is destroyed. */
const forgotten = (events: readonly CallEvent[]): CallEvent[] =>
  events.map((event) => ('personal' in event ? { ...event, personal: null } : event) as CallEvent);

describe('the personal parts of a call', () => {
  it.each(histories)('of %s put back make the same call', (_, commands) => {
    const call = callAfter(eventsOf(commands));
    expect(withPersonal(withoutPersonal(call), personalOf(call))).toEqual(call);
  });

  it.each(histories)('are all that a destroyed key takes from %s', (_, commands) => {
    const events = eventsOf(commands);
    expect(withoutPersonal(callAfter(events))).toEqual(callAfter(forgotten(events)));
    const text = JSON.stringify(withoutPersonal(callAfter(events)));
    expect(text).not.toMatch(/Ada|\+1415|A-1|turn 0|talked|crm/);
  });

  it.each(histories)(
    'of %s are gone after its deletion, before its key is destroyed and after',
    (_, commands) => {
      const events = eventsOf([...commands, deleted]);
      const call = callAfter(events);
      expect(call.people).toBeNull();
      expect(call).toEqual(callAfter(forgotten(events)));
      // Whatever is reported later leaves nothing of a person, either.
      const later = eventsOf([...commands, deleted, ...heldCall.slice(0, 5), withAll, initiation]);
      expect(callAfter(later)).toEqual(callAfter(forgotten(later)));
    },
  );
});
