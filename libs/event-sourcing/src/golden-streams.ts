// Whole streams as they were stored, each with its state. Neither side of a golden file is ever changed. A release that
// reads another state out of one of them has broken every stream like it.
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Codec } from './codec.js';
import { type Decider, fold, type Message } from './decider.js';
import { EventMetadata } from './metadata.js';

const GoldenFile = z.object({
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

export interface GoldenStream {
  readonly file: string;
  /** Types of the stored events. */
  readonly types: readonly string[];
  /** The meaning of the stream when it was stored. */
  readonly stored: unknown;
  /**
   * The meaning of the stream now, as JSON: without undefined members. @throws Error when a type is not known any more
   */
  readonly now: () => unknown;
}

const metadataOf = (schemaVersion: number): EventMetadata =>
  EventMetadata.parse({
    ...{ eventId: 'e', organizationId: 'org', actor: 'platform:test', requestId: 'r' },
    ...{ schemaVersion, occurredAt: '2026-03-01T10:00:00.000Z' },
  });

/** The golden streams of a directory, one JSON file each, read by today's code. */
export const goldenStreams = <S, C, E extends Message>(
  directory: URL,
  codec: Codec<E>,
  decider: Decider<S, C, E>,
): GoldenStream[] =>
  readdirSync(directory)
    .sort()
    .map((file) => {
      const { stream, state } = GoldenFile.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
      const decode = ({ version, ...event }: (typeof stream)[number]): E => {
        const decoded = codec.decode(event, metadataOf(version));
        if (decoded === undefined) throw new Error(`${event.type} is not known`);
        return decoded;
      };
      return {
        file,
        types: stream.map(({ type }) => type),
        stored: state,
        now: () => JSON.parse(JSON.stringify(fold(decider, stream.map(decode)))),
      };
    });
