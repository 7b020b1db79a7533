// Copies events into another store unchanged: with their ids, their sealed parts and their metadata.
import { z } from 'zod';
import type { EventStoreConnection } from './event-store-connection.js';

/** A copy is no request: nobody waits for it, and a batch is large. */
const deadlineMs = 60_000;

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
 * @throws StoreUnavailable when the store does not answer
 */
export const appendCopies = async (
  { driver }: Pick<EventStoreConnection, 'driver'>,
  events: readonly CopiedEvent[],
): Promise<bigint> => {
  const [first] = events;
  if (first === undefined) throw new Error('nothing to append');
  const copies = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  const appended = await driver.append({ stream: first.stream, expected: 'any', events: copies }, deadlineMs);
  return appended.position ?? -1n;
};
