import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import {
  type Caller,
  type EventDefinition,
  type EventEnvelope,
  type EventOf,
  earlierEvents,
  events,
  liveEventPermissions,
  liveEventsOf,
  makeEvent,
  type Role,
  rolePermissions,
  toldEvents,
} from '@parlance/contracts';
import type { LiveStream, StreamedSoFar } from './live-stream.js';
import { LiveStreams, type LiveStreamsOptions } from './live-streams.js';

const secret = new Secret('s'.repeat(32));
const ours = randomUUID();
const theirs = randomUUID();

let streams: LiveStreams;
let sequence: number;
const start = (options: Partial<LiveStreamsOptions> = {}): void => {
  streams = new LiveStreams({ secret, ...options });
  sequence = 100;
  streams.begin('epoch', sequence);
};
beforeEach(() => start());
afterEach(() => streams.stop());

const callerOf = (role: Role, id: string, organizationId = ours): Caller => ({
  organizationId,
  actor: { type: 'user', id },
  role,
  permissions: [...rolePermissions[role]],
});
const open = ({
  caller = callerOf('viewer', randomUUID()),
  after,
  isStillGood = async () => true,
}: {
  caller?: Caller;
  after?: string;
  isStillGood?: () => Promise<boolean>;
} = {}): LiveStream =>
  streams.open({ access: { caller, mcpConfirm: 'always', subjects: [] }, after, isStillGood });

const happens = <T extends EventDefinition>(
  definition: T,
  data: EventOf<T>['data'],
  organizationId = ours,
): number => {
  sequence += 1;
  const occurredAt = '2026-03-01T10:00:00.000Z';
  const event = makeEvent(definition, { id: randomUUID(), organizationId, occurredAt, data });
  streams.event(sequence, event as EventEnvelope); // as it arrives
  return sequence;
};
const grows = (callId: string, turns: number, organizationId = ours): number =>
  happens(events.transcriptGrew, { callId, agentId: 'a', turns }, organizationId);

/** The next events of a stream, as many as are asked for. */
const next = async (stream: LiveStream, count: number): Promise<StreamedSoFar[]> => {
  const iterator = readers.get(stream) ?? stream[Symbol.asyncIterator]();
  readers.set(stream, iterator);
  const read: StreamedSoFar[] = [];
  while (read.length < count) {
    const { value, done } = await iterator.next();
    if (done) break;
    read.push(value);
  }
  return read;
};
const readers = new WeakMap<LiveStream, AsyncIterator<StreamedSoFar>>();
const names = (read: readonly StreamedSoFar[]): string[] => read.map(({ event }) => event);

describe('what a reader is told', () => {
  it('is ids and states of its own organization, and nothing of another one', async () => {
    const stream = open();
    grows('call-of-theirs', 1, theirs);
    grows('call-of-ours', 3);
    const [opened, grown] = await next(stream, 2);
    expect(opened).toMatchObject({ event: 'open', data: { resumed: false } });
    expect(grown).toEqual({
      event: 'call.transcript',
      id: expect.any(String),
      data: {
        ...{ type: 'call.transcript', occurredAt: '2026-03-01T10:00:00.000Z', agentId: 'a', turns: 3 },
        resource: { kind: 'call', id: 'call-of-ours' },
      },
    });
    expect(stream.idleId()).toEqual(expect.any(String));
  });

  it('is what its permissions let it read', async () => {
    const key: Caller = {
      ...callerOf('viewer', 'k'),
      actor: { type: 'key', id: 'k' },
      role: 'key',
      permissions: ['tools:read'],
    };
    const [ofKey, ofViewer] = [open({ caller: key }), open()];
    grows('call', 1);
    happens(events.toolChanged, { toolId: randomUUID(), change: 'updated' });
    expect(names(await next(ofKey, 2))).toEqual(['open', 'tool.changed']);
    expect(names(await next(ofViewer, 3))).toEqual(['open', 'call.transcript', 'tool.changed']);
  });

  it('holds no name, number or word of any event', () => {
    const name = 'A name of a person';
    const number = '+14155550177';
    const uuid = randomUUID();
    const attempt = { outboundCallId: uuid, attemptId: uuid, callId: 'c' };
    const started = {
      ...{ ...attempt, attempt: 1, roomName: 'r', agentId: uuid, agentName: name, configVersion: 1 },
      ...{ fromNumber: number, toNumber: number, provider: null, campaignId: uuid },
      ...{ dynamicVariables: { name }, metadata: { name }, startedAt: '2026-03-01T10:00:00.000Z' },
    };
    const envelope = { id: uuid, version: 1, occurredAt: started.startedAt, organizationId: ours };
    const told = liveEventsOf({ ...envelope, name: events.attemptStarted.name, data: started });
    const { fromNumber: _, toNumber: __, dynamicVariables: ___, metadata: ____, ...open } = started;
    const sealed = { ...envelope, version: events.attemptStarted.version, data: { ...open, sealed: 'x' } };
    expect(liveEventsOf({ ...sealed, name: events.attemptStarted.name })).toEqual(told);
    expect(told.map(({ type }) => type)).toEqual(['outbound-call.changed', 'campaign.changed']);
    const agent = liveEventsOf({
      ...envelope,
      name: events.agentCreated.name,
      data: { agentId: uuid, name },
    });
    expect(agent).toHaveLength(1);
    expect(JSON.stringify([told, agent])).not.toMatch(/A name|14155550177/);
    expect(liveEventsOf({ ...envelope, version: 2, name: events.agentCreated.name, data: {} })).toEqual([]);
  });

  it('comes from every event of the contract but those that only services need', () => {
    const all = [...Object.values(events), ...Object.values(earlierEvents)];
    const names = all.map(({ name, version }) => `${name}.v${version}`);
    const silent = [
      // The stream ends with the organization, and a call that began shows in the call log.
      'gateway.organization.deleted.v1',
      // The dialer puts the number on the do-not-call list, which is an event of its own.
      'calls-logs.call.opted-out.v1',
      ...['widgets.conversation.started.v1', 'widgets.conversation.started.v2'],
      ...['widgets.preview.started.v1', 'widgets.preview.started.v2'],
      // A report between services, of a save that is an event of its own.
      'tools-secrets.secret-mentions.requested.v1',
      ...['agents-config', 'mcp-hub', 'widgets'].map((owner) => `${owner}.secret-mentions.reported.v1`),
      // The reconciler of calls-logs and the dialer, and the context of a browser's room.
      'calls-logs.attempts.requested.v1',
      'outbound-dialer.attempts.reported.v1',
      'widgets.session.started.v1',
    ];
    expect([...toldEvents, ...silent].sort()).toEqual([...names].sort());
    expect(Object.values(liveEventPermissions).every((permission) => permission.endsWith(':read'))).toBe(
      true,
    );
  });
});

describe('a reader who comes back', () => {
  it('gets what happened since its last id, and nothing twice', async () => {
    const first = open();
    grows('call', 1);
    const seen = (await next(first, 2)).at(-1)?.id ?? '';
    first.cancel();
    grows('call', 2);
    grows('call', 3, theirs);
    grows('call', 4);
    const again = open({ after: seen });
    grows('call', 5);
    const read = await next(again, 4);
    expect(read[0]).toMatchObject({ event: 'open', data: { resumed: true } });
    expect(read.slice(1).map(({ data }) => Object(data).turns)).toEqual([2, 4, 5]);
    // A reader that leaves after `open` alone has seen none of them.
    const third = open({ after: read[0]?.id ?? '' });
    expect((await next(third, 2)).at(-1)?.data).toMatchObject({ turns: 2 });
  });

  it('is told both events of one happening, also when it left between the two', async () => {
    const stream = open();
    const campaignId = randomUUID();
    happens(events.callEnded, {
      ...{ callId: 'c', agentId: randomUUID(), outboundCallId: null, campaignId, status: 'completed' },
      ...{ outcome: 'answered', endedReason: 'user_hangup', answeredBy: null, costMicros: null },
      ...{ startedAt: '2026-03-01T10:00:00.000Z', answeredAt: null, endedAt: '2026-03-01T10:00:00.000Z' },
      durationSeconds: 1,
    });
    const [, ended, progress] = await next(stream, 3);
    expect([ended?.event, progress?.event]).toEqual(['call.ended', 'campaign.changed']);
    const again = await next(open({ after: ended?.id ?? '' }), 3);
    expect(names(again)).toEqual(['open', 'call.ended', 'campaign.changed']);
    expect(open({ after: progress?.id ?? '' }).idleId()).toBeUndefined();
  });

  it('is told to read anew after an id that is too old, damaged, or of another organization', async () => {
    start({ remembered: 4 });
    const stream = open();
    const [opened] = await next(stream, 1);
    for (let turns = 1; turns <= 10; turns += 1) grows('call', turns);
    const late = await next(open({ after: opened?.id ?? '' }), 2);
    expect(late).toMatchObject([
      { event: 'open', data: { resumed: false } },
      { event: 'reload', data: { reason: 'too_old' } },
    ]);
    const current = stream.idleId() ?? (await next(open(), 1))[0]?.id ?? '';
    for (const after of ['nonsense', `${current.slice(0, -2)}AA`])
      expect((await next(open({ after }), 2))[1]?.data).toEqual({ reason: 'unknown_id' });
    const stranger = open({ after: current, caller: callerOf('owner', 'x', theirs) });
    expect((await next(stranger, 2))[1]?.data).toEqual({ reason: 'unknown_id' });
    // The id of `reload` is a good one.
    expect((await next(open({ after: late[1]?.id ?? '' }), 1))[0]?.data).toEqual({ resumed: true });
  });

  it('is told to read anew when the broker has lost its stream, and when events were missed', async () => {
    const stream = open();
    const [opened] = await next(stream, 1);
    streams.missed(150);
    expect((await next(stream, 1))[0]).toMatchObject({ event: 'reload', data: { reason: 'missed' } });
    expect((await next(open({ after: opened?.id ?? '' }), 2))[1]?.data).toEqual({ reason: 'too_old' });
    streams.begin('another epoch', 3);
    expect((await next(stream, 1))[0]).toMatchObject({ event: 'reload', data: { reason: 'missed' } });
    expect((await next(open({ after: opened?.id ?? '' }), 2))[1]?.data).toEqual({ reason: 'unknown_id' });
  });
});

describe('a slow reader', () => {
  it('costs a bounded buffer, is told to read anew once, and goes on', async () => {
    start({ buffered: 3 });
    const stream = open();
    for (let turns = 1; turns <= 50; turns += 1) grows('call', turns);
    const [, reload] = await next(stream, 2);
    expect(reload).toMatchObject({ event: 'reload', data: { reason: 'slow' } });
    grows('call', 51);
    expect((await next(stream, 1))[0]?.data).toMatchObject({ turns: 51 });
    expect(names(await next(open({ after: reload?.id ?? '' }), 2))).toEqual(['open', 'call.transcript']);
  });
});

describe('the number of streams', () => {
  const limited = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 10 });

  it('is bounded for a person and for an organization, and a stream that ends makes room', () => {
    start({ perPerson: 2, perOrganization: 3 });
    const caller = callerOf('member', 'p');
    const [first] = [open({ caller }), open({ caller })];
    expect(() => open({ caller })).toThrow(limited);
    const other = callerOf('member', 'q');
    open({ caller: other });
    expect(() => open({ caller: callerOf('member', 'r') })).toThrow(limited);
    open({ caller: callerOf('member', 'p', theirs) });
    first?.cancel();
    first?.cancel();
    open({ caller });
    expect(() => open({ caller: other })).toThrow(limited);
  });
});

describe('a stream ends', () => {
  it('when its credential is good no longer, and not when another one is not', async () => {
    let isGood = true;
    const [ending, staying] = [open({ isStillGood: async () => isGood }), open()];
    await next(ending, 1);
    await streams.recheck();
    isGood = false;
    const end = next(ending, 1);
    await streams.recheck();
    expect(await end).toEqual([]);
    grows('call', 1);
    expect(await next(ending, 1)).toEqual([]);
    expect(names(await next(staying, 2))).toEqual(['open', 'call.transcript']);
  });

  it('when the process stops', async () => {
    const stream = open();
    await next(stream, 1);
    const end = next(stream, 1);
    streams.stop();
    expect(await end).toEqual([]);
  });
});
