import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type EventEnvelope, earlierEvents, events, makeEvent } from '@parlance/contracts';
import { EventSeals } from './event-seals.js';
import { newInstallation } from './testing/caller-envs.js';

const envOf = newInstallation();
const sealsOf = (process: 'outbound-dialer' | 'calls-logs' | 'widgets') =>
  new EventSeals(process, envOf(process));
const [dialer, reader, other] = [sealsOf('outbound-dialer'), sealsOf('calls-logs'), sealsOf('widgets')];

const data = {
  ...{
    outboundCallId: randomUUID(),
    attemptId: randomUUID(),
    callId: 'call-1',
    attempt: 1,
    roomName: 'room',
  },
  ...{ agentId: randomUUID(), agentName: 'Ada', configVersion: 1, provider: null, campaignId: null },
  ...{ fromNumber: '+14155550142', toNumber: '+14155550100', dynamicVariables: { name: 'Grace' } },
  ...{ metadata: { order: 7 }, startedAt: '2026-03-01T10:00:00.000Z' },
};
const about = { id: randomUUID(), occurredAt: data.startedAt, organizationId: 'org_1' };
const started = makeEvent(events.attemptStarted, { ...about, data });
/** As the broker carries it. */
const sent = (event: object): EventEnvelope => JSON.parse(JSON.stringify(event));

describe('EventSeals', () => {
  it('shows the ids of an event to everybody, and what it says about a person to its reader alone', () => {
    const travelling = sent(dialer.seal(started));
    expect(travelling).toMatchObject({ version: 2, data: { callId: 'call-1', agentName: 'Ada' } });
    expect(JSON.stringify(travelling)).not.toMatch(/1415555|Grace|order/);
    expect(reader.open(travelling)).toEqual(sent(started));
    expect(() => other.open(travelling)).toThrow();
    expect(() => dialer.open(travelling)).toThrow();
  });

  it('does not open what was moved into another event or organization, or was changed', () => {
    const travelling = sent(dialer.seal(started));
    expect(() => reader.open({ ...travelling, id: randomUUID() })).toThrow();
    expect(() => reader.open({ ...travelling, organizationId: 'org_2' })).toThrow();
    expect(() => reader.open({ ...travelling, data: { ...travelling.data, sealed: 'AAAA' } })).toThrow();
    expect(() => reader.open({ ...travelling, data: {} })).toThrow();
  });

  it('leaves an event as it is that says nothing about a person, or that an older release sent', () => {
    const deleted = makeEvent(events.agentDeleted, {
      ...about,
      data: { agentId: data.agentId, name: 'Ada' },
    });
    expect(dialer.seal(deleted)).toEqual(deleted);
    expect(reader.open(sent(deleted))).toEqual(sent(deleted));
    const earlier = makeEvent(earlierEvents.attemptStarted, { ...about, data });
    expect(reader.open(sent(earlier))).toEqual(sent(earlier));
  });
});
