// Every version of every event that was ever released still reads. A fixture is never changed; a new version gets a new
// one beside it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EventMetadata, fold } from '@parlance/event-sourcing';
import { z } from 'zod';
import { callDecider } from './call.js';
import { type CallEvent, callEvents } from './call-events.js';

const directory = new URL('./fixtures/', import.meta.url);
const Fixture = z.object({
  data: z.record(z.string(), z.unknown()),
  personal: z.record(z.string(), z.unknown()).nullable(),
});

const read = (type: string, version: number): CallEvent | undefined => {
  const text = readFileSync(new URL(`${type}.v${version}.json`, directory), 'utf8');
  const metadata = EventMetadata.parse({
    eventId: 'e',
    schemaVersion: version,
    occurredAt: '2026-03-01T10:00:00.000Z',
    organizationId: 'org',
    actor: 'platform:test',
    requestId: 'r',
  });
  return callEvents.decode({ type, ...Fixture.parse(JSON.parse(text)) }, metadata);
};

const released = Object.entries(callEvents.definitions).flatMap(([type, { version }]) =>
  Array.from({ length: version }, (_, index) => ({ type, version: index + 1 })),
);

describe('stored events', () => {
  it('have a fixture for each version, and nothing else', () => {
    const files = released.map(({ type, version }) => `${type}.v${version}.json`);
    expect(readdirSync(directory).sort()).toEqual(files.sort());
  });

  it.each(released)('$type v$version reads in the shape of today', ({ type, version }) => {
    const event = read(type, version);
    expect(event?.type).toBe(type);
    if (event !== undefined) expect(callEvents.encode(event)).toMatchObject({ type });
  });

  it('fold into the same call as when they were written', () => {
    const order = [
      'CallDescribed',
      'ParticipantMoved',
      'CallAnswered',
      'CallEndRequested',
      'RoomClosed',
      'InitiationAnswered',
      'ToolRan',
      'TranscriptRecorded',
      'CallEnded',
      'CallIngested',
      'CallAnalyzed',
    ];
    const events = order.flatMap((type) => read(type, 1) ?? []);
    const call = fold(callDecider, events);
    expect(call).toMatchObject({
      phase: 'ended',
      agentHasJoined: true,
      endRequestedBy: 'user:u1',
      closedAt: '2026-03-01T10:01:06.000Z',
      answeredAt: '2026-03-01T10:00:05.000Z',
      end: { status: 'completed', endedReason: 'operator_ended', durationSeconds: 60 },
      transcript: { parts: 1 },
      initiation: { variables: { orderId: '9007199254740993' } },
      toolRuns: { kept: [{ name: 'find_order', arguments: { order: 'A-7' } }], more: [] },
      ingested: {
        data: { messageCount: 1, cost: { totalMicros: 8_500 } },
        personal: { summary: 'Caller: “turn 1”', dataCollected: { guests: { value: 4, turns: [1] } } },
      },
    });
    expect(
      fold(
        callDecider,
        [read('CallDeleted', 1)].flatMap((event) => event ?? []),
        call,
      ),
    ).toMatchObject({
      phase: 'ended',
      people: null,
      ingested: { data: { messageCount: 1 }, personal: null },
      deletedAt: '2026-03-01T12:00:00.000Z',
    });
  });

  it('have a personal part that may be gone', () => {
    const metadata = EventMetadata.parse({
      eventId: 'e',
      schemaVersion: 1,
      occurredAt: '2026-03-01T10:00:00.000Z',
      organizationId: 'org',
      actor: 'a',
      requestId: 'r',
    });
    const forgotten = released.flatMap(({ type, version }) => {
      const text = readFileSync(new URL(`${type}.v${version}.json`, directory), 'utf8');
      const { data } = Fixture.parse(JSON.parse(text));
      return callEvents.decode({ type, data, personal: null }, metadata) ?? [];
    });
    const ordered = forgotten.sort((a, b) =>
      a.type === 'CallDescribed' ? -1 : b.type === 'CallDescribed' ? 1 : 0,
    );
    expect(fold(callDecider, ordered)).toMatchObject({ people: null });
  });
});
