// Reading: one stream and $all, both directions, limits, any start. Runs against any EventStoreDB.
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type Position,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { collect, conformanceTarget, counted, freshStream, numbersIn, type Target } from './support.js';

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

describe('reading a stream', () => {
  it('gives every event in order, from the start or from the end', async () => {
    const stream = await streamOf(300);
    const all = Array.from({ length: 300 }, (_, n) => n);
    expect(await numbersIn(client, stream)).toEqual(all);
    expect(await numbersIn(client, stream, { direction: BACKWARDS, fromRevision: END })).toEqual(
      all.reverse(),
    );
  });

  it('starts at a revision, that one included, in both directions, and stops at the limit', async () => {
    const stream = await streamOf(10);
    expect(await numbersIn(client, stream, { fromRevision: 4n, maxCount: 3 })).toEqual([4, 5, 6]);
    const backwards = { direction: BACKWARDS, fromRevision: 4n, maxCount: 3 } as const;
    expect(await numbersIn(client, stream, backwards)).toEqual([4, 3, 2]);
    expect(await numbersIn(client, stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })).toEqual(
      [9],
    );
    expect(await numbersIn(client, stream, { direction: BACKWARDS, fromRevision: START })).toEqual([0]);
    expect(await numbersIn(client, stream, { fromRevision: START, maxCount: 1 })).toEqual([0]);
  });

  it('finds nothing past the end, which is not an error', async () => {
    const stream = await streamOf(2);
    expect(await numbersIn(client, stream, { fromRevision: 2n })).toEqual([]);
  });

  it('forwards from the end is refused, whether the stream is there or not', async () => {
    for (const stream of [await streamOf(2), freshStream()]) {
      await expect(numbersIn(client, stream, { fromRevision: END })).rejects.toMatchObject({
        code: 2,
        message: expect.stringContaining('Unexpected ReadStreamResult: Error'),
      });
    }
  });

  it('of a stream that is not there throws StreamNotFoundError with its name', async () => {
    const stream = freshStream();
    const reading = numbersIn(client, stream);
    await expect(reading).rejects.toBeInstanceOf(StreamNotFoundError);
    await expect(reading).rejects.toMatchObject({ streamName: stream });
  });

  it('gives what was appended before the answer of the append', async () => {
    const stream = freshStream();
    for (let n = 0; n < 50; n += 1) {
      await client.appendToStream(stream, counted(n));
      expect(
        await numbersIn(client, stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }),
      ).toEqual([n]);
    }
  });

  it('can be abandoned, and the client goes on', async () => {
    const stream = await streamOf(2_000);
    for await (const { event } of client.readStream(stream)) if (event?.revision === 5n) break;
    expect(await numbersIn(client, stream, { maxCount: 1 })).toEqual([0]);
  });
});

describe('reading $all', () => {
  const own = (
    stream: string,
    from: Position,
    direction: typeof FORWARDS | typeof BACKWARDS,
    maxCount = 10_000,
  ) =>
    collect(client.readAll({ fromPosition: from, direction, maxCount })).then((events) =>
      events.filter(({ event }) => event?.streamId === stream).map(({ event }) => Number(event?.revision)),
    );

  it('has the events of all streams in the order of their appends', async () => {
    const [one, other] = [freshStream(), freshStream()];
    const { position } = await client.appendToStream(one, counted(0));
    await client.appendToStream(other, counted(1));
    await client.appendToStream(one, [counted(2), counted(3)]);
    const numbers: number[] = [];
    for await (const { event } of client.readAll({ fromPosition: position ?? START })) {
      if (event?.streamId === one || event?.streamId === other) numbers.push((event.data as { n: number }).n);
    }
    expect(numbers).toEqual([0, 1, 2, 3]);
  });

  it('includes the position it starts at going forwards, and excludes it going backwards', async () => {
    const stream = await streamOf(20);
    const events = await collect(client.readStream(stream));
    const tenth = events[10]?.event?.position;
    if (tenth === undefined) throw new Error('a read event has a position');
    expect(await own(stream, tenth, FORWARDS)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(await own(stream, tenth, BACKWARDS, 10)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await own(stream, tenth, FORWARDS, 2)).toEqual([10, 11]);
  });

  it('backwards from the end begins with the newest events', async () => {
    const stream = await streamOf(3);
    const newest = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 500 }));
    const ours = newest.filter(({ event }) => event?.streamId === stream);
    expect(ours.map(({ event }) => event?.revision)).toEqual([2n, 1n, 0n]);
    const positions = newest.map(({ event }) => event?.position?.commit ?? -1n);
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? 1 : -1)));
  });

  it('forwards from the end, and backwards from the start, finds nothing that was there', async () => {
    const stream = await streamOf(1);
    const atTheEnd = await collect(client.readAll({ fromPosition: END }));
    expect(atTheEnd.filter(({ event }) => event?.streamId === stream)).toEqual([]);
    expect(await collect(client.readAll({ direction: BACKWARDS, fromPosition: START }))).toEqual([]);
  });
});
