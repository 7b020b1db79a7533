// Deleting streams, and the metadata that hides events. Runs against any EventStoreDB.
import {
  type EventStoreDBClient,
  NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Collected,
  conformanceTarget,
  counted,
  freshStream,
  now,
  numbersIn,
  type Target,
} from './support.js';

let target: Target;
let client: EventStoreDBClient;
beforeAll(async () => {
  target = await conformanceTarget();
  client = target.client;
});
afterAll(() => target.stop());

async function streamOf(count: number): Promise<string> {
  const stream = freshStream();
  await client.appendToStream(
    stream,
    Array.from({ length: count }, (_, n) => counted(n)),
  );
  return stream;
}

describe('soft delete', () => {
  it('hides the stream, which can be begun again, goes on counting, and has lost its other metadata', async () => {
    const stream = await streamOf(3);
    await client.setStreamMetadata(stream, { owner: 'calls', maxCount: 1 });
    await client.deleteStream(stream, { expectedRevision: 2n });
    await expect(numbersIn(client, stream)).rejects.toBeInstanceOf(StreamNotFoundError);
    const { nextExpectedRevision } = await client.appendToStream(stream, counted(3), {
      expectedRevision: NO_STREAM,
    });
    expect(nextExpectedRevision).toBe(3n);
    await client.appendToStream(stream, counted(4), { expectedRevision: 3n });
    expect(await numbersIn(client, stream)).toEqual([3, 4]);
    const { metadata } = await client.getStreamMetadata(stream);
    expect(metadata).toEqual({ truncateBefore: 3 });
  });

  it('at the wrong revision is a conflict and deletes nothing', async () => {
    const stream = await streamOf(3);
    const deleting = client.deleteStream(stream, { expectedRevision: 1n });
    await expect(deleting).rejects.toBeInstanceOf(WrongExpectedVersionError);
    await expect(deleting).rejects.toMatchObject({
      streamName: stream,
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    expect(await numbersIn(client, stream)).toEqual([0, 1, 2]);
  });
});

describe('tombstone', () => {
  it('makes reads, appends and deletes throw StreamDeletedError for good', async () => {
    const stream = await streamOf(2);
    await client.tombstoneStream(stream);
    const attempts = [
      () => numbersIn(client, stream),
      () => client.appendToStream(stream, counted(2)),
      () => client.appendToStream(stream, counted(2), { expectedRevision: NO_STREAM }),
      () => client.deleteStream(stream),
      () => client.tombstoneStream(stream),
    ];
    for (const attempt of attempts) {
      const failing = attempt();
      await expect(failing).rejects.toBeInstanceOf(StreamDeletedError);
      await expect(failing).rejects.toMatchObject({ streamName: stream });
    }
  });

  it('leaves the events and the tombstone in $all', async () => {
    const fromPosition = await now(client);
    const stream = await streamOf(2);
    await client.tombstoneStream(stream);
    const filter = streamNameFilter({ prefixes: [stream] });
    const collected = new Collected(client.subscribeToAll({ fromPosition, filter }));
    await collected.caughtUp;
    expect(collected.events.map(({ event }) => event?.type)).toEqual([
      'counted',
      'counted',
      '$streamDeleted',
    ]);
    await collected.subscription.unsubscribe();
  });
});

describe('stream metadata', () => {
  it('is read back as it was set, and is empty before', async () => {
    const stream = await streamOf(1);
    expect((await client.getStreamMetadata(stream)).metadata).toBeUndefined();
    await client.setStreamMetadata(stream, { maxCount: 7, maxAge: 60, custom: { a: [1] } });
    const { metadata } = await client.getStreamMetadata(stream);
    expect(metadata).toEqual({ maxCount: 7, maxAge: 60, custom: { a: [1] } });
  });

  it('maxCount shows the newest events only, in both directions', async () => {
    const stream = await streamOf(10);
    await client.setStreamMetadata(stream, { maxCount: 3 });
    expect(await numbersIn(client, stream)).toEqual([7, 8, 9]);
    expect(await numbersIn(client, stream, { direction: 'backwards', fromRevision: 'end' })).toEqual([
      9, 8, 7,
    ]);
    await client.appendToStream(stream, counted(10), { expectedRevision: 9n });
    expect(await numbersIn(client, stream)).toEqual([8, 9, 10]);
  });

  it('truncateBefore hides what is older than a revision', async () => {
    const stream = await streamOf(5);
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    expect(await numbersIn(client, stream)).toEqual([3, 4]);
  });

  it('maxAge shows events that are young enough', async () => {
    const stream = await streamOf(2);
    await client.setStreamMetadata(stream, { maxAge: 3600 });
    expect(await numbersIn(client, stream)).toEqual([0, 1]);
  });
});
