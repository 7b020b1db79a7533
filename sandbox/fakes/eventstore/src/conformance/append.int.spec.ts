// Appending: every kind of expectation, repeated appends, conflicts, limits. Runs against any EventStoreDB.
import { randomUUID } from 'node:crypto';
import {
  ANY,
  binaryEvent,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  collect,
  conformanceTarget,
  counted,
  freshStream,
  numbersIn,
  type Target,
  WITHOUT_BATCH,
} from './support.js';

let target: Target;
let client: EventStoreDBClient;
beforeAll(async () => {
  target = await conformanceTarget();
  client = target.client;
});
afterAll(() => target.stop());

describe.each([
  ['BatchAppend', {}],
  ['Append', WITHOUT_BATCH],
])('append over %s', (_method, options) => {
  it('returns the revision and position of the last event', async () => {
    const stream = freshStream();
    const first = await client.appendToStream(stream, [counted(0), counted(1)], options);
    const second = await client.appendToStream(stream, counted(2), options);
    expect([first.nextExpectedRevision, second.nextExpectedRevision]).toEqual([1n, 2n]);
    const read = await collect(client.readStream(stream));
    expect(read[1]?.event?.position).toEqual(first.position);
    expect(read[2]?.event?.position).toEqual(second.position);
  });

  it('no_stream succeeds once', async () => {
    const stream = freshStream();
    await client.appendToStream(stream, counted(0), { ...options, expectedRevision: NO_STREAM });
    const again = client.appendToStream(stream, counted(1), { ...options, expectedRevision: NO_STREAM });
    await expect(again).rejects.toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: NO_STREAM,
      actualVersion: 0n,
    });
    expect(await numbersIn(client, stream)).toEqual([0]);
  });

  it('stream_exists needs a stream', async () => {
    const stream = freshStream();
    const early = client.appendToStream(stream, counted(0), { ...options, expectedRevision: STREAM_EXISTS });
    await expect(early).rejects.toMatchObject({ expectedVersion: STREAM_EXISTS, actualVersion: NO_STREAM });
    await client.appendToStream(stream, counted(0), options);
    await client.appendToStream(stream, counted(1), { ...options, expectedRevision: STREAM_EXISTS });
    expect(await numbersIn(client, stream)).toEqual([0, 1]);
  });

  it('an exact revision that is behind or ahead of the stream is a conflict that names both revisions', async () => {
    const stream = freshStream();
    await client.appendToStream(stream, [counted(0), counted(1), counted(2)], options);
    for (const expectedRevision of [0n, 1n, 7n]) {
      const conflicting = client.appendToStream(stream, counted(9), { ...options, expectedRevision });
      await expect(conflicting).rejects.toBeInstanceOf(WrongExpectedVersionError);
      await expect(conflicting).rejects.toMatchObject({
        expectedVersion: expectedRevision,
        actualVersion: 2n,
      });
    }
    await client.appendToStream(stream, counted(3), { ...options, expectedRevision: 2n });
    expect(await numbersIn(client, stream)).toEqual([0, 1, 2, 3]);
  });

  it('the same events appended again under the same expectation are there once', async () => {
    const stream = freshStream();
    const events = [counted(0), counted(1)];
    const once = await client.appendToStream(stream, events, { ...options, expectedRevision: NO_STREAM });
    await client.appendToStream(stream, counted(2), options);
    const twice = await client.appendToStream(stream, events, { ...options, expectedRevision: NO_STREAM });
    expect(twice.nextExpectedRevision).toBe(once.nextExpectedRevision);
    const third = counted(3);
    for (let i = 0; i < 3; i += 1) {
      const { nextExpectedRevision } = await client.appendToStream(stream, third, {
        ...options,
        expectedRevision: 2n,
      });
      expect(nextExpectedRevision).toBe(3n);
    }
    expect(await numbersIn(client, stream)).toEqual([0, 1, 2, 3]);
  });

  it('the same events appended again with any are there once', async () => {
    const stream = freshStream();
    const events = [counted(0), counted(1)];
    for (let i = 0; i < 3; i += 1)
      await client.appendToStream(stream, events, { ...options, expectedRevision: ANY });
    expect(await numbersIn(client, stream)).toEqual([0, 1]);
  });

  it('a repetition that has grown is a conflict, not a second copy', async () => {
    const stream = freshStream();
    const first = counted(0);
    await client.appendToStream(stream, first, { ...options, expectedRevision: NO_STREAM });
    const grown = client.appendToStream(stream, [first, counted(1)], {
      ...options,
      expectedRevision: NO_STREAM,
    });
    await expect(grown).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(await numbersIn(client, stream)).toEqual([0]);
  });

  it('the same event id may be in two streams', async () => {
    const [one, other] = [freshStream(), freshStream()];
    const event = counted(5);
    await client.appendToStream(one, event, options);
    await client.appendToStream(other, event, options);
    expect(await numbersIn(client, other)).toEqual([5]);
  });

  it('events over 1 MiB together are refused whole, and the next append goes on', async () => {
    const stream = freshStream();
    const large = (bytes: number) => jsonEvent({ type: 'large', data: 'x'.repeat(bytes) });
    const refused = [large(1024 * 1024), [large(600_000), large(600_000)], [large(3_500_000), large(10)]];
    for (const events of refused) {
      const appending = client.appendToStream(stream, events, options);
      await expect(appending).rejects.toBeInstanceOf(MaxAppendSizeExceededError);
      await expect(appending).rejects.toMatchObject({ maxAppendSize: 1024 * 1024 });
    }
    await client.appendToStream(stream, large(1_000_000), { ...options, expectedRevision: NO_STREAM });
  });

  it('what an event carries comes back as it was written', async () => {
    const stream = freshStream('ünïcode 流');
    const id = randomUUID();
    const before = Date.now();
    await client.appendToStream(
      stream,
      [
        jsonEvent({ id, type: 'Ünïcode', data: { text: '流 "é" \u0000' }, metadata: { tenant: 't', n: 1 } }),
        binaryEvent({ type: 'bytes', data: Uint8Array.from([0, 255, 128]), metadata: Uint8Array.from([7]) }),
      ],
      options,
    );
    const [json, binary] = await collect(client.readStream(stream));
    expect(json?.event).toMatchObject({
      id,
      streamId: stream,
      revision: 0n,
      type: 'Ünïcode',
      isJson: true,
      data: { text: '流 "é" \u0000' },
      metadata: { tenant: 't', n: 1 },
    });
    expect(json?.event?.created.getTime()).toBeGreaterThanOrEqual(before - 1000);
    expect(binary?.event).toMatchObject({ revision: 1n, type: 'bytes', isJson: false });
    expect(Buffer.from(binary?.event?.data as Uint8Array)).toEqual(Buffer.from([0, 255, 128]));
  });
});

describe('concurrent writers', () => {
  it('of 16 that expect the same revision one wins, every round', async () => {
    const stream = freshStream();
    const winners: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const expectedRevision = round === 0 ? NO_STREAM : BigInt(round - 1);
      const appends = Array.from({ length: 16 }, (_, writer) =>
        client.appendToStream(stream, counted(round * 100 + writer), { expectedRevision }).then(
          () => winners.push(round * 100 + writer),
          (error: unknown) => expect(error).toBeInstanceOf(WrongExpectedVersionError),
        ),
      );
      await Promise.all(appends);
    }
    expect(winners).toHaveLength(10);
    expect(await numbersIn(client, stream)).toEqual(winners);
  });

  it('appends without expectation to one stream all get a revision of their own', async () => {
    const stream = freshStream();
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) => client.appendToStream(stream, counted(n))),
    );
    const revisions = results
      .map(({ nextExpectedRevision }) => Number(nextExpectedRevision))
      .sort((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(new Set(await numbersIn(client, stream)).size).toBe(200);
  });
});
