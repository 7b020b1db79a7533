import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import { given } from '@parlance/fixtures/deciders';
import {
  abandoned,
  adopted,
  answered,
  at,
  attempt,
  callEnd,
  cancelled,
  commands,
  ended,
  endedByOperator,
  histories,
  placed,
  rejected,
  retried,
  started,
} from '../../testing/histories.js';
import { outboundCallDecider } from './outbound-call.js';
import type { OutboundCallEvent } from './outbound-call-events.js';

const call = given(outboundCallDecider);

type State = keyof typeof histories;
type Command = keyof typeof commands;

/** The effect of each command in each state: `-` nothing, a code in capitals a refusal, or the events. */
const table: Record<State, Record<Command, string>> = {
  absent: row(
    'OutboundCallPlaced - - - - - - - - - OUTBOUND_CALL_NOT_FOUND OUTBOUND_CALL_NOT_FOUND - OUTBOUND_CALL_NOT_FOUND OutboundCallPlaced+AttemptStarted',
  ),
  queued: row('- AttemptStarted - - - - - - - - OutboundCallCancelled - - CALL_NOT_RETRYABLE AttemptStarted'),
  dialing: row(
    '- - AttemptAnswered AttemptRejected AttemptInDoubt AttemptAdopted AttemptAdopted+AttemptAnswered AttemptAbandoned AttemptOutcomeUnknown AttemptEnded OutboundCallCancelled OutboundCallCancelled - CALL_NOT_RETRYABLE -',
  ),
  inDoubt: row(
    '- - AttemptAnswered AttemptRejected - AttemptAdopted AttemptAdopted+AttemptAnswered AttemptAbandoned AttemptOutcomeUnknown AttemptEnded OutboundCallCancelled OutboundCallCancelled - CALL_NOT_RETRYABLE -',
  ),
  adopted: row(
    '- - AttemptAnswered AttemptRejected - - AttemptAnswered AttemptAbandoned AttemptOutcomeUnknown AttemptEnded OutboundCallCancelled OutboundCallCancelled - CALL_NOT_RETRYABLE -',
  ),
  connected: row('- - - - - - - - - AttemptEnded OutboundCallCancelled - - CALL_NOT_RETRYABLE -'),
  waiting: row('- - - - - - - - - - OutboundCallCancelled - - CALL_NOT_RETRYABLE -'),
  completed: row('- - - - - - - - - - CALL_NOT_CANCELLABLE - - CALL_NOT_RETRYABLE -'),
  busy: row('- - - - - - - - - - CALL_NOT_CANCELLABLE - - OutboundCallRetried -'),
  abandoned: row('- - - - - - - - - - CALL_NOT_CANCELLABLE - - OutboundCallRetried -'),
  unknown: row('- - - - - - - - - - CALL_NOT_CANCELLABLE - - OutboundCallRetried -'),
  cancelledEarly: row('- - - - - - - - - - - - - CALL_NOT_RETRYABLE -'),
  cutOff: row('- - - AttemptHungUp - - - AttemptHungUp - - - - AttemptHungUp CALL_NOT_RETRYABLE -'),
  hungUp: row('- - - - - - - - - - - - - CALL_NOT_RETRYABLE -'),
  retried: row('- - - - - - - - - - OutboundCallCancelled - - CALL_NOT_RETRYABLE -'),
};

function row(text: string): Record<Command, string> {
  const cells = text.split(' ');
  const names = Object.keys(commands);
  if (cells.length !== names.length) throw new Error(`${cells.length} cells for ${names.length} commands`);
  // one cell per command, in their order
  return Object.fromEntries(names.map((name, index) => [name, cells[index]])) as Record<Command, string>;
}

const outcomeOf = (state: State, command: Command): string => {
  try {
    const events = outboundCallDecider.decide(commands[command], fold(outboundCallDecider, histories[state]));
    return events.map(({ type }) => type).join('+') || '-';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

describe.each(Object.keys(histories) as State[])('an outbound call that is %s', (state) => {
  it.each(Object.keys(commands) as Command[])('answers %s as the table says', (command) => {
    expect(outcomeOf(state, command)).toBe(table[state][command]);
  });

  it('is not changed by a command that was carried out once already', () => {
    const names = Object.keys(commands) as Command[];
    for (const command of names.map((name) => commands[name])) {
      const before = fold(outboundCallDecider, histories[state]);
      let decided: ReturnType<typeof outboundCallDecider.decide>;
      try {
        decided = outboundCallDecider.decide(command, before);
      } catch {
        continue;
      }
      expect(outboundCallDecider.decide(command, fold(outboundCallDecider, decided, before))).toEqual([]);
    }
  });

  it('survives every event, in and out of place', () => {
    const every = Object.values(histories).flat();
    for (const event of every)
      expect(() =>
        outboundCallDecider.evolve(fold(outboundCallDecider, histories[state]), event),
      ).not.toThrow();
  });
});

describe('an attempt', () => {
  it('says whom it calls for whom, and until when it is waited for', () => {
    call(...histories.queued)
      .when(commands.StartAttempt)
      .then({
        ...started(1),
        data: { ...started(1).data, startedAt: at(200), deadlineAt: at(300) },
      });
  });

  it('does not start before its time, out of turn, or twice', () => {
    call(...histories.waiting)
      .when({ ...commands.StartAttempt, attempt: 2, now: at(66) })
      .thenNothing();
    call(...histories.waiting)
      .when({ ...commands.StartAttempt, attempt: 3 })
      .thenNothing();
    call(...histories.dialing)
      .when(commands.StartAttempt)
      .thenNothing();
    call(...histories.dialing)
      .when({ ...commands.StartAttempt, attempt: 2 })
      .thenNothing();
  });

  it('follows by itself when the provider asked for patience, three in all', () => {
    const refusal = { ...commands.RecordRefusal, retryAt: at(202) };
    const nextAfter = (...history: readonly OutboundCallEvent[]) => {
      const state = fold(outboundCallDecider, history);
      const attemptId = state.phase === 'dialing' ? state.current.attemptId : '';
      const [event] = outboundCallDecider.decide({ ...refusal, attemptId }, state);
      return event?.type === 'AttemptRejected' ? event.data.nextAttemptAt : undefined;
    };
    const twice = [placed, started(1), rejected(1, at(67)), started(2)];
    expect(nextAfter(placed, started(1))).toBe(at(202));
    expect(nextAfter(...twice)).toBe(at(202));
    expect(nextAfter(...twice, rejected(2, at(127)), started(3))).toBeNull();
    // another attempt by order of a person gives three more tries
    expect(
      nextAfter(placed, started(1), rejected(1, at(67)), started(2), rejected(2, null), retried, started(3)),
    ).toBe(at(202));
  });

  it('that was never dialled is followed by another one at once', () => {
    call(...histories.dialing)
      .when(commands.Abandon)
      .then({
        ...abandoned(1, at(200)),
        data: { ...attempt(1), reason: 'unknown', endedAt: at(200), nextAttemptAt: at(200) },
      });
  });

  it('is not given up before its deadline', () => {
    call(...histories.inDoubt)
      .when({ ...commands.GiveUp, now: at(159.999) })
      .thenNothing();
    call(...histories.inDoubt)
      .when({ ...commands.GiveUp, now: at(160) })
      .thenState((state) => {
        expect(state).toMatchObject({ phase: 'ended', status: 'failed', endedReason: 'outcome_unknown' });
      });
  });

  it('that was found ringing is connected when it is answered', () => {
    call(...histories.adopted)
      .when(commands.AdoptAnswered)
      .then({
        ...answered(1),
        data: { ...attempt(1), providerCallId: 'SCL_1', answeredAt: at(200) },
      });
  });

  it('is not moved by news of another attempt', () => {
    const stale = { attemptId: 'attempt-9', callId: 'call-9' };
    for (const command of [
      commands.RecordAnswer,
      commands.RecordRefusal,
      commands.RecordDoubt,
      commands.AdoptAnswered,
      commands.Abandon,
      commands.GiveUp,
      commands.SettleCall,
    ])
      call(...histories.dialing)
        .when({ ...command, ...stale })
        .thenNothing();
  });
});

describe('the end of the call', () => {
  it('is told by its own stream, with what it was like', () => {
    call(...histories.connected)
      .when(commands.SettleCall)
      .then(ended(1));
    call(...histories.connected)
      .when(commands.SettleCall)
      .thenState((state) => {
        expect(state).toMatchObject({
          phase: 'ended',
          status: 'completed',
          past: [{ answeredBy: 'human', durationSeconds: 30, answeredAt: at(65), endedAt: at(95) }],
        });
      });
  });

  it('is believed even when nobody knew yet that the phone was answered', () => {
    call(...histories.inDoubt)
      .when(commands.SettleCall)
      .then(ended(1));
  });

  it('is not believed when it is none', () => {
    const facts = { ...callEnd, status: 'in_progress' } as const;
    call(...histories.connected)
      .when({ ...commands.SettleCall, facts })
      .thenNothing();
  });
});

describe('cancelling', () => {
  it('ends the call at once and remembers the attempt that has to be hung up', () => {
    call(...histories.adopted)
      .when({ ...commands.CancelCall, now: at(70) })
      .then(cancelled(1));
    call(...histories.adopted)
      .when(commands.CancelCall)
      .thenState((state) => {
        expect(state).toMatchObject({
          phase: 'ended',
          status: 'cancelled',
          endedReason: 'cancelled_by_user',
          past: [{ status: 'cancelled' }],
          hangUp: { attemptId: 'attempt-1', roomName: 'room-1', wasDialing: true },
        });
      });
  });

  it('a foreign call is cancelling an unknown one, and so is retrying it', () => {
    for (const state of Object.values(histories)) {
      call(...state)
        .when({ ...commands.CancelCall, organizationId: 'org_2' })
        .thenRefused('OUTBOUND_CALL_NOT_FOUND');
      call(...state)
        .when({ ...commands.RetryCall, organizationId: 'org_2' })
        .thenRefused('OUTBOUND_CALL_NOT_FOUND');
    }
  });
});

describe('an operator who ends a call', () => {
  it('that is dialled cancels it, and its phone is hung up', () => {
    for (const history of [histories.dialing, histories.inDoubt, histories.adopted])
      call(...history)
        .when({ ...commands.EndAttempt, now: at(70) })
        .then(endedByOperator(1));
    call(...histories.adopted)
      .when(commands.EndAttempt)
      .thenState((state) => {
        expect(state).toMatchObject({
          ...{ phase: 'ended', status: 'cancelled', endedReason: 'operator_ended' },
          past: [{ status: 'cancelled', outcome: 'cancelled', endedReason: 'operator_ended' }],
          hangUp: { attemptId: 'attempt-1', wasDialing: true },
        });
      });
  });

  it('is not contradicted by the dial, which fails because its room is gone, nor by anything that comes late', () => {
    const late = [
      'RecordRefusal',
      'Abandon',
      'RecordAnswer',
      'AdoptAnswered',
      'GiveUp',
      'SettleCall',
    ] as const;
    for (const type of late)
      call(placed, started(1), endedByOperator(1))
        .when(commands[type])
        .thenState((state) => {
          expect(state).toMatchObject({ status: 'cancelled', endedReason: 'operator_ended', past: [{}] });
        });
  });

  it('has no say in another attempt than the one of that call', () => {
    call(...histories.dialing)
      .when({ ...commands.EndAttempt, callId: 'call-2' })
      .thenNothing();
  });

  it('of another organization has no say', () => {
    call(...histories.dialing)
      .when({ ...commands.EndAttempt, organizationId: 'org_2' })
      .thenRefused('OUTBOUND_CALL_NOT_FOUND');
  });
});

describe('a person who was forgotten', () => {
  const forgotten = { ...placed, personal: null };

  it('is not called any more', () => {
    call(forgotten)
      .when(commands.StartAttempt)
      .then({
        type: 'OutboundCallCancelled',
        data: { attempt: null, reason: 'cancelled_by_user', cancelledAt: at(200) },
      });
    call(forgotten, started(1), rejected(1, null)).when(commands.RetryCall).thenRefused('CALL_NOT_RETRYABLE');
  });
});

describe('retrying', () => {
  it('is a new attempt with the configuration of today, and the same request again is not another one', () => {
    const retry = { ...commands.RetryCall, retryId: 'retry-1', now: at(110) };
    call(...histories.busy)
      .when(retry)
      .then(retried);
    call(...histories.retried)
      .when(retry)
      .thenNothing();
    call(...histories.retried, started(2), adopted(2))
      .when(retry)
      .thenNothing();
    call(...histories.busy)
      .when(retry)
      .thenState((state) => {
        expect(state).toMatchObject({ phase: 'queued', notBefore: at(110), configVersion: 2 });
      });
  });
});
