// Every version of every event that was ever stored can be read for ever: `fixtures/<Type>.v<N>.json` are such events.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EventMetadata, fold } from '@parlance/event-sourcing';
import { z } from 'zod';
import { outboundCallDecider } from './outbound-call.js';
import { outboundCallEvents } from './outbound-call-events.js';

const directory = new URL('./fixtures/', import.meta.url);
const files = readdirSync(directory).sort();
const Stored = z.object({
  data: z.record(z.string(), z.unknown()),
  personal: z.record(z.string(), z.unknown()).optional(),
});

const read = (file: string) => {
  const [type = '', version = ''] = file.split('.');
  const stored = Stored.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
  return { type, version: Number(version.slice(1)), stored };
};

const metadataOf = (schemaVersion: number) =>
  EventMetadata.parse({
    eventId: 'event',
    schemaVersion,
    occurredAt: '2026-01-01T00:00:00.000Z',
    organizationId: 'org_1',
    actor: 'user:1',
    requestId: 'request',
  });

const decode = (file: string, forgotten = false) => {
  const { type, version, stored } = read(file);
  const personal = forgotten ? null : (stored.personal ?? null);
  const event = outboundCallEvents.decode({ type, data: stored.data, personal }, metadataOf(version));
  if (event === undefined) throw new Error(`${type} is not known`);
  return event;
};

describe('stored events', () => {
  it('have a fixture for every version that is or was written', () => {
    const wanted = Object.entries(outboundCallEvents.definitions).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
    );
    expect(files).toEqual(wanted.sort());
  });

  it.each(files)('%s is read, and written again as it was if it is of today’s version', (file) => {
    const { type, version, stored } = read(file);
    const event = decode(file);
    if (version !== outboundCallEvents.definitions[type]?.version) return;
    expect(outboundCallEvents.encode(event)).toEqual({ type, version, ...stored });
  });

  it('can be read when the person was forgotten, and tell everything else', () => {
    const forgotten = fold(outboundCallDecider, [
      decode('OutboundCallPlaced.v1.json', true),
      decode('AttemptStarted.v1.json', true),
      decode('AttemptAnswered.v1.json', true),
      decode('AttemptEnded.v1.json', true),
    ]);
    expect(forgotten).toMatchObject({ phase: 'ended', status: 'completed', personal: null });
  });
});

/** A stream as it was stored, in which the phone rang twice, and the state that it has always meant. */
describe('a golden stream', () => {
  it('means what it meant when it was written', () => {
    const stream = [
      'OutboundCallPlaced',
      'AttemptStarted',
      'AttemptInDoubt',
      'AttemptAdopted',
      'AttemptAnswered',
      'OutboundCallCancelled',
      'AttemptHungUp',
    ].map((type) => decode(`${type}.v1.json`));
    expect(fold(outboundCallDecider, stream)).toMatchObject({
      phase: 'ended',
      status: 'cancelled',
      endedReason: 'cancelled_by_user',
      endedAt: '2026-01-01T00:01:10.000Z',
      updatedAt: '2026-01-01T00:01:15.000Z',
      hangUp: null,
      past: [
        {
          attempt: 1,
          attemptId: 'attempt-1',
          status: 'cancelled',
          providerCallId: 'SCL_1',
          startedAt: '2026-01-01T00:01:00.000Z',
          answeredAt: '2026-01-01T00:01:05.000Z',
        },
      ],
    });
  });
});
