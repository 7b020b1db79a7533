// Copies events into another store unchanged: with their ids, their sealed parts and their metadata.
import { ANY, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { z } from 'zod';
import { storeError } from './store-errors.js';

/** An event as a backup holds it. */
export const CopiedEvent = z.object({
  id: z.string(),
  stream: z.string(),
  /** Decimal, as `position`. */
  revision: z.string(),
  position: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.json()),
  metadata: z.record(z.string(), z.json()),
});
export type CopiedEvent = z.infer<typeof CopiedEvent>;

/**
 * Appends consecutive events of one stream at its end: where one is missing before them, they get other revisions.
 * @returns the position of the last one in this store
 * @throws AppError SERVICE_UNAVAILABLE when the store does not answer
 */
export const appendCopies = async (
  { client }: { readonly client: EventStoreDBClient },
  events: readonly CopiedEvent[],
): Promise<bigint> => {
  const [first] = events;
  if (first === undefined) throw new Error('nothing to append');
  const copies = events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata }));
  try {
    const { position } = await client.appendToStream(first.stream, copies, { expectedRevision: ANY });
    return position?.commit ?? -1n;
  } catch (error) {
    throw storeError(error);
  }
};
