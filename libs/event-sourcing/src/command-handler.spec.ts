import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { given } from '@parlance/fixtures/deciders';
import { z } from 'zod';
import { defineEvents, type EventsOf } from './codec.js';
import { commandHandler, type Standing } from './command-handler.js';
import type { Decider } from './decider.js';
import { type EventStore, eventId, type Recorded } from './event-store.js';
import type { EventMeta } from './metadata.js';
import { WrongRevision } from './store/failures.js';

const codec = defineEvents({ Added: { version: 1, data: z.object({ by: z.int() }) } });
type Added = EventsOf<typeof codec>;

/** Adds, up to ten; adding zero is nothing to do. */
const counter: Decider<number, { add: number }, Added> = {
  initialState: 0,
  evolve: (state, event) => state + event.data.by,
  decide: ({ add }) => (add === 0 ? [] : [{ type: 'Added', data: { by: add } }]),
};

const meta = (commandId: string): EventMeta => ({
  commandId,
  organizationId: 'org',
  actor: 'user:1',
  requestId: 'r',
  occurredAt: '2026-01-01T00:00:00.000Z',
});

/** A store of one stream in which another writer appends in front of the first `conflicts` appends. */
class ContestedStore {
  readonly ids: string[] = [];
  readonly events: Added[] = [];
  reads = 0;

  constructor(private conflicts = 0) {}

  get port(): EventStore {
    return {
      read: async <E>(stream: string) => {
        this.reads += 1;
        const events = this.events.map((event, index) => ({ event, stream, revision: BigInt(index) }));
        const revision = this.events.length === 0 ? ('none' as const) : BigInt(this.events.length - 1);
        // The handler folds `event` and nothing else.
        return { events: events as unknown as Recorded<E & Added>[], revision };
      },
      append: async (stream, events, expected, { commandId }) => {
        if (this.conflicts > 0) {
          this.conflicts -= 1;
          this.events.push({ type: 'Added', data: { by: 100 } });
          throw new WrongRevision(stream);
        }
        if (expected !== (this.events.length === 0 ? 'none' : BigInt(this.events.length - 1)))
          throw new WrongRevision(stream);
        for (const [index, event] of events.entries()) {
          this.ids.push(eventId(stream, commandId, index));
          this.events.push(
            codec.decode({ ...codec.encode(event as unknown as Added), personal: null }, parsed) as Added,
          );
        }
        return { revision: BigInt(this.events.length - 1), position: 7n };
      },
    };
  }
}

const parsed = { ...meta('c'), eventId: 'e', schemaVersion: 1, causationId: null, traceparent: null };

const handlerOn = (store: ContestedStore) =>
  commandHandler({ store: store.port, codec, category: 'counter', decider: counter });

/** Remembers the states that it left behind. */
const rememberingOn = (store: ContestedStore) =>
  commandHandler({
    ...{ store: store.port, codec, category: 'counter', decider: counter },
    recent: new Map<string, Standing<number>>(),
  });

describe('a command handler', () => {
  it('appends nothing when there is nothing to do', async () => {
    const store = new ContestedStore();
    await expect(handlerOn(store)('1', { add: 0 }, meta('a'))).resolves.toEqual({
      state: 0,
      revision: 'none',
      events: [],
    });
    expect(store.events).toEqual([]);
  });

  it('answers with the state after its own events, and where they stand', async () => {
    const store = new ContestedStore();
    const handle = handlerOn(store);
    await handle('1', { add: 1 }, meta('a'));
    await expect(handle('1', { add: 2 }, meta('b'))).resolves.toMatchObject({
      state: 3,
      revision: 1n,
      position: 7n,
    });
  });

  it('decides again on what somebody else appended in between', async () => {
    const store = new ContestedStore(4);
    await expect(handlerOn(store)('1', { add: 1 }, meta('a'))).resolves.toMatchObject({ state: 401 });
    expect(store.reads).toBe(5);
  });

  it('gives up after five times with CONFLICT', async () => {
    await expect(handlerOn(new ContestedStore(5))('1', { add: 1 }, meta('a'))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('does not decide again for a caller who pinned a revision', async () => {
    const store = new ContestedStore(1);
    const handling = handlerOn(store)('1', { add: 1 }, meta('a'), { expected: 'none' });
    await expect(handling).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(store.reads).toBe(1);
    await expect(handlerOn(store)('1', { add: 1 }, meta('b'), { expected: 8n })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('reads no stream that is presumed new, unless there is one after all', async () => {
    const [right, wrong] = [new ContestedStore(), new ContestedStore(1)];
    const presumedNew = { presumedNew: true };
    await expect(handlerOn(right)('1', { add: 1 }, meta('a'), presumedNew)).resolves.toMatchObject({
      state: 1,
    });
    expect(right.reads).toBe(0);
    await expect(handlerOn(wrong)('1', { add: 1 }, meta('a'), presumedNew)).resolves.toMatchObject({
      state: 101,
    });
    expect(wrong.reads).toBe(1);
  });

  it('reads no stream that is known, unless it has moved on since', async () => {
    const [same, moved] = [new ContestedStore(), new ContestedStore()];
    const left = [
      await handlerOn(same)('1', { add: 1 }, meta('a')),
      await handlerOn(moved)('1', { add: 1 }, meta('a')),
    ] as const;
    await handlerOn(moved)('1', { add: 50 }, meta('other'));
    const reads = [same.reads, moved.reads] as const;
    await expect(handlerOn(same)('1', { add: 2 }, meta('b'), { known: left[0] })).resolves.toMatchObject({
      state: 3,
      revision: 1n,
    });
    expect(same.reads).toBe(reads[0]);
    await expect(handlerOn(moved)('1', { add: 2 }, meta('b'), { known: left[1] })).resolves.toMatchObject({
      state: 53,
      revision: 2n,
    });
    expect(moved.reads).toBe(reads[1] + 1);
  });

  it('decides on what is known, and answers with it when there is nothing to do', async () => {
    const store = new ContestedStore();
    const known = { state: 7, revision: 3n };
    await expect(handlerOn(store)('1', { add: 0 }, meta('a'), { known })).resolves.toEqual({
      ...known,
      events: [],
    });
    expect(store.reads).toBe(0);
  });

  it('reads the stream once for commands that follow each other, where it remembers their states', async () => {
    const store = new ContestedStore();
    const handle = rememberingOn(store);
    await handle('1', { add: 1 }, meta('a'));
    await handle('1', { add: 2 }, meta('b'));
    await expect(handle('1', { add: 3 }, meta('c'))).resolves.toMatchObject({ state: 6, revision: 2n });
    expect(store.reads).toBe(1);
  });

  it('decides again on the stream where a remembered state is out of date', async () => {
    const store = new ContestedStore();
    const handle = rememberingOn(store);
    await handle('1', { add: 1 }, meta('a'));
    await handlerOn(store)('1', { add: 50 }, meta('other'));
    await expect(handle('1', { add: 2 }, meta('b'))).resolves.toMatchObject({ state: 53, revision: 2n });
  });

  it('reads the stream before it does nothing or refuses, because a remembered state may be out of date', async () => {
    const store = new ContestedStore();
    const refusing: typeof counter = {
      ...counter,
      decide: (command, state) => {
        if (command.add < 0 && state < 50) throw new AppError('CONFLICT');
        return counter.decide(command, state);
      },
    };
    const handle = commandHandler({
      ...{ store: store.port, codec, category: 'counter', decider: refusing },
      recent: new Map<string, Standing<number>>(),
    });
    await handle('1', { add: 1 }, meta('a'));
    await handlerOn(store)('1', { add: 50 }, meta('other'));
    await expect(handle('1', { add: 0 }, meta('b'))).resolves.toMatchObject({ state: 51, events: [] });
    await expect(handle('1', { add: -1 }, meta('c'))).resolves.toMatchObject({ state: 50 });
  });

  it('gives the events of one command the same ids on every try, and those of another command other ids', async () => {
    const [first, again, other] = [new ContestedStore(), new ContestedStore(3), new ContestedStore()];
    await handlerOn(first)('1', { add: 1 }, meta('a'));
    await handlerOn(again)('1', { add: 1 }, meta('a'));
    await handlerOn(other)('1', { add: 1 }, meta('b'));
    expect(again.ids).toEqual(first.ids);
    expect(other.ids).not.toEqual(first.ids);
  });
});

describe('given, when, then', () => {
  const lamp: Decider<boolean, 'on' | 'break', { type: 'Lit'; data: object }> = {
    initialState: false,
    evolve: () => true,
    decide: (_command, isOn) => (isOn ? [] : [{ type: 'Lit', data: {} }]),
  };

  it('passes on the decided events and on nothing, and fails on anything else', () => {
    given(lamp)().when('on').then({ type: 'Lit', data: {} });
    given(lamp)({ type: 'Lit', data: {} }).when('on').thenNothing();
    expect(() => given(lamp)().when('on').thenNothing()).toThrow();
    expect(() => given(lamp)().when('on').thenRefused('CONFLICT')).toThrow();
  });
});
