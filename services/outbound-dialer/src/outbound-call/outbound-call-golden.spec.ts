// Whole streams as they were stored, and the state that each has always meant. Neither side of a golden file is ever
// changed: a release that reads another state out of one of them has broken every stream like it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EventMetadata, fold } from '@parlance/event-sourcing';
import { z } from 'zod';
import { outboundCallDecider } from './outbound-call.js';
import { outboundCallEvents } from './outbound-call-events.js';

const directory = new URL('./golden/', import.meta.url);
const Golden = z.object({
  stream: z.array(
    z.object({
      type: z.string(),
      version: z.int(),
      data: z.record(z.string(), z.unknown()),
      personal: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  state: z.unknown(),
});
type Golden = z.output<typeof Golden>;

const metadataOf = (schemaVersion: number) =>
  EventMetadata.parse({
    ...{ eventId: 'e', organizationId: 'org', actor: 'platform:test', requestId: 'r' },
    ...{ schemaVersion, occurredAt: '2026-03-01T10:00:00.000Z' },
  });

const stateOf = ({ stream }: Golden): unknown => {
  const events = stream.map(({ version, ...stored }) => {
    const event = outboundCallEvents.decode(stored, metadataOf(version));
    if (event === undefined) throw new Error(`${stored.type} is not known`);
    return event;
  });
  // As it is kept in read models: without what is undefined.
  return JSON.parse(JSON.stringify(fold(outboundCallDecider, events)));
};

const files = readdirSync(directory).sort();
const read = (file: string): Golden =>
  Golden.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));

describe('golden streams', () => {
  it.each(files)('%s folds into the state that it was stored with', (file) => {
    const golden = read(file);
    expect(stateOf(golden)).toEqual(golden.state);
  });

  it('together hold every type of event', () => {
    const types = new Set(files.flatMap((file) => read(file).stream.map(({ type }) => type)));
    expect([...types].sort()).toEqual(Object.keys(outboundCallEvents.definitions).sort());
  });
});
