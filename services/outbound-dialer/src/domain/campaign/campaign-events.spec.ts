// Every version of every stored event can be read for ever (`fixtures/<Type>.v<N>.json`), and stored streams keep their
// meaning (`golden/`).
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EventMetadata } from '@parlance/event-sourcing';
import { goldenStreams } from '@parlance/fixtures/deciders';
import { z } from 'zod';
import { campaignDecider } from './campaign.js';
import { campaignEvents } from './campaign-events.js';

const directory = new URL('./fixtures/', import.meta.url);
const files = readdirSync(directory).sort();
const Stored = z.object({
  data: z.record(z.string(), z.unknown()),
  personal: z.record(z.string(), z.unknown()).optional(),
});

const metadataOf = (schemaVersion: number) =>
  EventMetadata.parse({
    ...{ eventId: 'event', schemaVersion, occurredAt: '2026-01-01T00:00:00.000Z' },
    ...{ organizationId: 'org_1', actor: 'user:1', requestId: 'request' },
  });

const streams = goldenStreams(new URL('./golden/', import.meta.url), campaignEvents, campaignDecider);

describe('stored events', () => {
  it('have a fixture for every version that is or was written', () => {
    const wanted = Object.entries(campaignEvents.definitions).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
    );
    expect(files).toEqual(wanted.sort());
  });

  it.each(files)('%s is read, and written again as it was if it is of today’s version', (file) => {
    const [type = '', version = ''] = file.split('.');
    const stored = Stored.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
    const schemaVersion = Number(version.slice(1));
    const event = campaignEvents.decode(
      { type, data: stored.data, personal: stored.personal ?? null },
      metadataOf(schemaVersion),
    );
    if (event === undefined) throw new Error(`${type} is not known`);
    if (schemaVersion !== campaignEvents.definitions[type]?.version) return;
    expect(campaignEvents.encode(event)).toEqual({ type, version: schemaVersion, ...stored });
  });
});

describe('golden streams', () => {
  it.each(streams)('$file folds into the state that it was stored with', ({ now, stored }) => {
    expect(now()).toEqual(stored);
  });

  it('together hold every type of event', () => {
    const types = new Set(streams.flatMap(({ types }) => types));
    expect([...types].sort()).toEqual(Object.keys(campaignEvents.definitions).sort());
  });
});
