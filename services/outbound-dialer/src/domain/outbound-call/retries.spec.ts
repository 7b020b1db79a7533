// Calls with a retry policy: the ends that another attempt follows, the number of attempts, and the delays.
import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/event-sourcing';
import { given } from '@parlance/fixtures/deciders';
import { at, attempt, callEnd, commands, ended, placed, retried, started } from '../../testing/histories.js';
import type { RetryPolicy } from '../campaign/campaign-events.js';
import { type OutboundCallCommand, outboundCallDecider } from './outbound-call.js';
import type { OutboundCallEvent, OutboundCallEventOf } from './outbound-call-events.js';

type Refusal = Extract<OutboundCallCommand, { type: 'RecordRefusal' }>;

const policy: RetryPolicy = {
  maxAttempts: 3,
  delaySeconds: 300,
  on: ['busy', 'no_answer', 'voicemail', 'failed'],
};
const under = (retryPolicy: RetryPolicy): OutboundCallEvent => ({
  ...placed,
  data: { ...placed.data, mode: 'batch', retryPolicy },
});
const byPolicy = at(200 + 300);

const refusal = (n: number, end: Partial<Refusal>): OutboundCallCommand => ({
  ...commands.RecordRefusal,
  ...end,
  attemptId: `attempt-${n}`,
});
const voicemail = { ...callEnd, outcome: 'voicemail', endedReason: 'voicemail_reached' } as const;
const brokenOff = { ...callEnd, status: 'failed', outcome: 'failed', endedReason: 'media_failure' } as const;
const tooMany = { status: 'failed', endedReason: 'provider_rejected', providerCode: '429' } as const;

/** The events after these commands, each about an attempt that was just started. */
const history = (
  retryPolicy: RetryPolicy,
  ...ends: readonly OutboundCallCommand[]
): readonly OutboundCallEvent[] => {
  const events: OutboundCallEvent[] = [under(retryPolicy)];
  for (const [index, end] of ends.entries()) {
    events.push(started(index + 1));
    events.push(...outboundCallDecider.decide(end, fold(outboundCallDecider, events)));
  }
  return events;
};

const nextAfter = (events: readonly OutboundCallEvent[]): string | null | undefined => {
  const last = events.at(-1)?.data;
  return last !== undefined && 'nextAttemptAt' in last ? last.nextAttemptAt : undefined;
};

const endAttempt: OutboundCallCommand = commands.EndAttempt;
const answeredBy = 'machine_voicemail';
const endedReason = 'operator_ended';

const settle = (
  facts: Extract<OutboundCallCommand, { type: 'SettleCall' }>['facts'],
): OutboundCallCommand => ({
  ...commands.SettleCall,
  facts,
});

describe('a call with a retry policy', () => {
  it.each([
    ['busy', refusal(1, {})],
    ['nobody answered', refusal(1, { status: 'no_answer', endedReason: 'no_answer', sipStatus: 408 })],
    ['a voicemail', settle(voicemail)],
    ['a failure', refusal(1, { status: 'failed', endedReason: 'sip_error', sipStatus: 500 })],
    ['a conversation that broke off', settle(brokenOff)],
  ])('is attempted again after the policy’s delay: %s', (_, end) => {
    expect(nextAfter(history(policy, end))).toBe(byPolicy);
  });

  it.each([
    ['a conversation', settle(callEnd)],
    ['a refusal by whoever was called', refusal(1, { status: 'no_answer', endedReason: 'declined' })],
    ['a number that does not exist', refusal(1, { status: 'failed', endedReason: 'invalid_destination' })],
    ['an end by an operator while the phone rang', endAttempt],
    [
      'an end by an operator while a voicemail was talked to',
      settle({ ...voicemail, answeredBy, endedReason }),
    ],
    ['a mark as spam', refusal(1, { status: 'failed', endedReason: 'marked_as_spam' })],
  ])('is not attempted again after %s', (_, end) => {
    expect(nextAfter(history(policy, end)) ?? null).toBeNull();
    expect(fold(outboundCallDecider, history(policy, end))).toMatchObject({ phase: 'ended' });
  });

  it('is not attempted again when nobody knows whether the phone rang', () => {
    given(outboundCallDecider)(under(policy), started(1))
      .when(commands.GiveUp)
      .thenState((state) => expect(state).toMatchObject({ phase: 'ended', endedReason: 'outcome_unknown' }));
  });

  it('is attempted only after the ends that the policy names', () => {
    expect(nextAfter(history({ ...policy, on: ['no_answer'] }, refusal(1, {})))).toBeNull();
    expect(nextAfter(history({ ...policy, on: ['busy'] }, settle(voicemail)))).toBeNull();
  });

  it('is attempted as often as the policy says, and no more', () => {
    const events = history(policy, refusal(1, {}), refusal(2, {}), refusal(3, {}));
    expect(
      events.filter(({ type }) => type === 'AttemptRejected').map((event) => nextAfter([event])),
    ).toEqual([byPolicy, byPolicy, null]);
  });

  it('is tried again at once when it was certainly not placed, which the policy does not count', () => {
    const again = refusal(1, { ...tooMany, retryAt: at(202) });
    expect(nextAfter(history({ ...policy, maxAttempts: 1 }, again))).toBe(at(202));
    expect(nextAfter(history({ ...policy, maxAttempts: 2 }, again, refusal(2, {})))).toBe(byPolicy);
    const thrice = [1, 2, 3].map((n) => refusal(n, { ...tooMany, retryAt: at(202) }));
    expect(nextAfter(history({ ...policy, maxAttempts: 1 }, ...thrice))).toBeNull();
    expect(nextAfter(history(policy, ...thrice))).toBe(byPolicy);
  });

  it('ends at last when no attempt can ever be placed', () => {
    const never = Array.from({ length: 30 }, (_, index) =>
      refusal(index + 1, { ...tooMany, retryAt: at(202) }),
    );
    const state = fold(outboundCallDecider, history(policy, ...never));
    expect(state).toMatchObject({ phase: 'ended', status: 'failed' });
    expect(state.phase === 'ended' && state.past.length).toBeLessThanOrEqual(9);
  });

  it('is left to people once a person asked for another attempt', () => {
    const events = [under({ ...policy, maxAttempts: 10 }), started(1), ended(1)];
    const busy = { ...callEnd, status: 'busy', outcome: 'busy', endedReason: 'busy' } as const;
    const [asked] = [{ ...ended(1), data: { ...ended(1).data, ...busy } }];
    given(outboundCallDecider)(...events.slice(0, 2), asked, retried, started(2))
      .when(refusal(2, {}))
      .thenState((state) => expect(state).toMatchObject({ phase: 'ended', status: 'busy' }));
  });
});

describe('an attempt that is given up before its dial', () => {
  const abandonedWith = (
    reason: OutboundCallEventOf<'AttemptAbandoned'>['data']['reason'] & string,
    retryAt: string | null,
  ): OutboundCallCommand => ({ ...commands.Abandon, reason, retryAt });

  it('because of the hour is put off as often as need be, and no attempt of the policy', () => {
    const putOff = [1, 2, 3, 4].map((n) => ({
      ...abandonedWith('outside_calling_window', at(3_600)),
      attemptId: `attempt-${n}`,
    }));
    const events = history({ ...policy, maxAttempts: 2 }, ...putOff);
    expect(nextAfter(events)).toBe(at(3_600));
    expect(nextAfter(history({ ...policy, maxAttempts: 2 }, ...putOff, refusal(5, {})))).toBe(byPolicy);
  });

  it('because nobody may be called ends the call and says why', () => {
    given(outboundCallDecider)(under(policy), started(1))
      .when(abandonedWith('suppressed_dnc', null))
      .then({
        type: 'AttemptAbandoned',
        data: { ...attempt(1), reason: 'suppressed_dnc', endedAt: at(200), nextAttemptAt: null },
      });
  });

  it('because its campaign was cancelled is cancelled', () => {
    given(outboundCallDecider)(under(policy), started(1))
      .when(abandonedWith('campaign_cancelled', null))
      .thenState((state) =>
        expect(state).toMatchObject({
          phase: 'ended',
          status: 'cancelled',
          endedReason: 'campaign_cancelled',
        }),
      );
  });
});
