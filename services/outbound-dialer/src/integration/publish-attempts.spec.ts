import { describe, expect, it } from '@jest/globals';
import { events } from '@parlance/contracts';
import { EventMetadata, type Recorded } from '@parlance/event-sourcing';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import * as history from '../testing/histories.js';
import { translateAttempt } from './publish-attempts.js';

const eventId = '018f0000-0000-7000-8000-0000000000ee';
const recorded = (event: OutboundCallEvent): Recorded<OutboundCallEvent> => ({
  event,
  id: eventId,
  stream: `outboundCall-${history.outboundCallId}`,
  entityId: history.outboundCallId,
  revision: 1n,
  position: 1n,
  recordedAt: new Date(),
  metadata: EventMetadata.parse({
    eventId,
    schemaVersion: 1,
    occurredAt: history.at(1),
    organizationId: history.organizationId,
    actor: 'platform:outbound-dialer',
    requestId: 'request',
  }),
});
const dataOf = (event: OutboundCallEvent) => translateAttempt(recorded(event))?.data;

describe('what others are told', () => {
  it('is the same event however often it is told', () => {
    expect(translateAttempt(recorded(history.started(1)))).toMatchObject({
      id: eventId,
      name: 'outbound-dialer.attempt.started',
      version: 2,
      organizationId: history.organizationId,
      occurredAt: history.at(1),
    });
  });

  it('is why a call was cancelled: by a person, or with its campaign', () => {
    const { type, data } = history.cancelled(1);
    expect(dataOf({ type, data })).toMatchObject({ status: 'cancelled', endedReason: 'cancelled_by_user' });
    const withCampaign = { type, data: { ...data, reason: 'campaign_cancelled' as const } };
    expect(dataOf(withCampaign)).toMatchObject({ status: 'cancelled', endedReason: 'campaign_cancelled' });
  });

  it('is who is called for whom when an attempt starts', () => {
    expect(dataOf(history.started(1))).toMatchObject({
      outboundCallId: history.outboundCallId,
      ...history.attempt(1),
      attempt: 1,
      roomName: 'room-1',
      agentName: 'Ada',
      fromNumber: '+14155550142',
      toNumber: '+14155550100',
      dynamicVariables: { name: 'Grace' },
      metadata: { order: 7 },
    });
  });

  it('is nothing about a person who was forgotten', () => {
    expect(dataOf({ ...history.started(1), personal: null })).toBeUndefined();
  });

  it.each([
    [history.rejected(1, null), { status: 'busy', endedReason: 'busy', error: null }],
    [
      history.rejected(1, history.at(67)),
      {
        status: 'failed',
        endedReason: 'provider_rejected',
        error: { reason: 'provider_rejected', sipStatus: 429 },
      },
    ],
    [history.abandoned(1, null), { status: 'failed', endedReason: 'unknown' }],
    [history.unknown(1), { status: 'failed', endedReason: 'outcome_unknown' }],
    [history.cancelled(1), { status: 'cancelled', endedReason: 'cancelled_by_user', error: null }],
  ])('is how an attempt ended that the dialer itself ended ($0.type)', (event, ending) => {
    expect(dataOf(event)).toMatchObject({
      outboundCallId: history.outboundCallId,
      ...history.attempt(1),
      ...ending,
    });
  });

  it('is nothing about the rest', () => {
    for (const event of [
      history.placed,
      history.inDoubt(1),
      history.adopted(1),
      history.ended(1),
      history.cancelled(null),
      history.hungUp(1),
      history.retried,
    ])
      expect(translateAttempt(recorded(event))).toBeUndefined();
  });

  it('fits what the contract says of it', () => {
    const definitions = { started: events.attemptStarted, answered: events.attemptAnswered };
    const real = { attemptId: eventId, callId: 'call-1' };
    const startedEvent = history.started(1);
    const start = dataOf({ ...startedEvent, data: { ...startedEvent.data, ...real } });
    const answer = dataOf({ ...history.answered(1), data: { ...history.answered(1).data, ...real } });
    expect(definitions.started.data.parse(start)).toMatchObject(real);
    expect(definitions.answered.data.parse(answer)).toMatchObject(real);
  });
});
