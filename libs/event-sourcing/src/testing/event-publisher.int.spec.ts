import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { events as integrationEvents, makeEvent } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import type { RunningPart } from '@parlance/observability';
import { addToOutbox, ensureEventStream, eventStreamName, startOutboxRelay } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import type { JetStreamManager, NatsConnection } from 'nats';
import { type EventPublisherOptions, type Projector, type Recorded, startEventPublisher } from '../index.js';
import { noteBroker, type SeenBroker, spanToRepublish } from '../publisher-state.js';
import { type LampEvent, lit, startWorld, type World } from './lamps.js';

const { agentCreated } = integrationEvents;

/** One message for each lighting, with the lamp and its brightness. */
const messageOf = ({ id, entityId, event, metadata }: Recorded<LampEvent>) => {
  if (event.type !== 'LampLit') return undefined;
  const { occurredAt, organizationId } = metadata;
  const data = { agentId: entityId, name: String(event.data.brightness) };
  return makeEvent(agentCreated, { id, occurredAt, organizationId, data });
};

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('an event publisher', () => {
  let world: World;
  let nats: NatsConnection;
  let manager: JetStreamManager;
  const running: RunningPart[] = [];
  /** The category of each test is its own, and so is the name of its publisher. */
  let category = '';

  const publisher = (options: Partial<EventPublisherOptions<LampEvent>> = {}): Projector => {
    const started = startEventPublisher({
      ...world.subscriber(category),
      nats,
      translate: messageOf,
      brokerCheckMs: 50,
      pieceSize: 4,
      ...options,
    });
    running.push(started);
    return started;
  };
  const stopAll = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((part) => part.stop()));
  };
  const append = (lamp: string, ...brightness: readonly number[]): Promise<bigint> =>
    world.append(`${category}-${lamp}`, ...brightness.map(lit));
  /** The brightnesses of each lamp in the order of the broker's stream. */
  const published = async (): Promise<Record<string, number[]>> => {
    const { state } = await manager.streams.info(eventStreamName);
    const lamps: Record<string, number[]> = {};
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(eventStreamName, { seq });
      const { agentId, name } = agentCreated.data.parse(message.json<{ data: unknown }>().data);
      lamps[agentId] = [...(lamps[agentId] ?? []), Number(name)];
    }
    return lamps;
  };
  const publishedAre = (lamps: Record<string, number[]>): Promise<void> =>
    eventually(async () => expect(await published()).toEqual(lamps));
  const loseStream = async (): Promise<void> => {
    await manager.streams.delete(eventStreamName);
  };

  beforeAll(async () => {
    world = await startWorld({ nats: true });
    nats = await connectNats({ url: world.engines.natsUrl, name: 'test' });
    manager = await nats.jetstreamManager();
  });
  beforeEach(async () => {
    category = `lamps${randomUUID().replaceAll('-', '')}`;
    await ensureEventStream(nats);
  });
  afterEach(async () => {
    await stopAll();
    await loseStream();
    await world.db.query('truncate outbox, outbox_broker, outbox_lost');
  });
  afterAll(async () => {
    await nats.drain();
    await world.stop();
  });

  it('publishes the events of each stream once and in order, under their ids', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const started = publisher();
    for (const n of range(1, 30)) {
      await append(one, 2 * n, 2 * n + 1);
      await append(other, n);
    }
    await started.whenProcessed(await append(one, 100));
    await publishedAre({ [one]: [...range(2, 61), 100], [other]: range(1, 30) });
    const { events } = await world.eventStore.read(`${category}-${one}`, world.subscriber(category).codec);
    const last = await manager.streams.getMessage(eventStreamName, {
      last_by_subj: 'parlance.evt.agents-config.agent.created.v1',
    });
    expect(last.json()).toMatchObject({ id: events.at(-1)?.id, data: { agentId: one } });
    expect(last.header.get('Nats-Msg-Id')).toBe(events.at(-1)?.id);
  });

  it('publishes again what a crash kept from its checkpoint, and the broker drops the repetition', async () => {
    const lamp = randomUUID();
    const first = publisher();
    await first.whenProcessed(await append(lamp, 1, 2, 3));
    await stopAll();
    await world.db.query(`update projection_checkpoints set position = '-1' where id = $1`, [category]);
    const second = publisher();
    await second.whenProcessed(await append(lamp, 4));
    await publishedAre({ [lamp]: [1, 2, 3, 4] });
  });

  it('waits while the broker takes nothing, reports it, and then publishes everything in order', async () => {
    const lamp = randomUUID();
    const started = publisher();
    await started.whenProcessed(await append(lamp, 1));
    await loseStream();
    await manager.streams.add({ name: 'OTHER', subjects: ['parlance.evt.>'] });
    const last = await append(lamp, 2, 3);
    await eventually(() => expect(started.trouble?.()).toBe('cannot publish'));
    await eventually(() => expect(started.lagMs()).toBeGreaterThan(0));
    await manager.streams.delete('OTHER');
    await started.whenProcessed(last, { timeoutMs: 60_000 });
    await eventually(() => expect(started.trouble?.()).toBeUndefined());
    await eventually(async () => {
      const numbers = (await published())[lamp] ?? [];
      expect(numbers.filter((n) => n > 1)).toEqual([2, 3]);
      expect(numbers).toContain(1);
    });
    expect(await started.parked()).toBe(0);
  });

  it('gives everything to a broker that has lost its stream, though nothing new happens', async () => {
    const lamps = [randomUUID(), randomUUID(), randomUUID()];
    const started = publisher();
    for (const lamp of lamps) await started.whenProcessed(await append(lamp, ...range(1, 7)));
    await loseStream();
    await publishedAre(Object.fromEntries(lamps.map((lamp) => [lamp, range(1, 7)])));
    await eventually(async () => expect(await spanToRepublish(world.db, category)).toBeUndefined());
  });

  it('resumes the repetition of a replica that stopped in the middle of it', async () => {
    const lamp = randomUUID();
    const first = publisher();
    await first.whenProcessed(await append(lamp, ...range(1, 20)));
    await stopAll();
    const { rows } = await world.db.query<{ position: string }>(
      'select position from projection_checkpoints where id = $1',
      [category],
    );
    const until = (await append(lamp, 21)) - 1n;
    expect(until).toBeGreaterThanOrEqual(BigInt(rows[0]?.position ?? -1));
    await loseStream();
    await ensureEventStream(nats);
    // As it was left: a span, and the stream that it was lost from noted as the present one.
    const { created } = await ensureEventStream(nats);
    await world.db.query(
      `update event_publishers set stream_created = $2, resend_after = '-1', resend_until = $3 where id = $1`,
      [category, created, until.toString()],
    );
    publisher();
    await eventually(async () =>
      expect(((await published())[lamp] ?? []).toSorted((a, b) => a - b)).toEqual(range(1, 21)),
    );
  });

  it('sets an event aside that it cannot translate, and the later ones of its stream, and never repeats them', async () => {
    const [poisoned, other] = [randomUUID(), randomUUID()];
    const started = publisher({
      translate: (recorded) => {
        if (recorded.entityId === poisoned && recorded.revision === 1n) throw new Error('cannot be');
        return messageOf(recorded);
      },
    });
    await append(poisoned, 1, 2, 3);
    await started.whenProcessed(await append(other, 1));
    expect(await started.parked()).toBe(2);
    await publishedAre({ [poisoned]: [1], [other]: [1] });
    await loseStream();
    await publishedAre({ [poisoned]: [1], [other]: [1] });
  });

  it('begins where the outbox of a release before ended, whose events a relay sends, also to an empty broker', async () => {
    const [before, since] = [randomUUID(), randomUUID()];
    const last = await append(before, 1, 2);
    const { events } = await world.eventStore.read(`${category}-${before}`, world.subscriber(category).codec);
    await world.db.transaction(async (tx) => {
      await tx.query('insert into projection_checkpoints (id, position) values ($1, $2)', [
        category,
        last.toString(),
      ]);
      for (const recorded of events) {
        const message = messageOf(recorded);
        if (message !== undefined) await addToOutbox(tx, message);
      }
    });
    const { db, logger } = world.subscriber(category);
    running.push(startOutboxRelay({ db, nats, logger, pollMs: 50, brokerCheckMs: 50 }));
    const started = publisher();
    await started.whenProcessed(await append(since, 3));
    await publishedAre({ [before]: [1, 2], [since]: [3] });
    await loseStream();
    await publishedAre({ [before]: [1, 2], [since]: [3] });
  });
});

describe('the span that a publisher sends again', () => {
  let world: World;
  const publisher = 'spans';
  const broker: SeenBroker = {
    ...{ streamCreated: 'first', serverId: 'server', mayHaveRestarted: false },
    ...{ lastSequence: 1_000, highestSequence: 0 },
  };
  const note = (seen: Partial<SeenBroker>) => noteBroker(world.db, publisher, { ...broker, ...seen }, 99n);

  beforeAll(async () => {
    world = await startWorld();
  });
  beforeEach(async () => {
    await world.db.query('truncate event_publishers, event_publisher_marks');
    await world.db.query(`insert into event_publishers values ($1, 'first', 'server')`, [publisher]);
    await world.db.query(
      `insert into event_publisher_marks (publisher_id, marked_at, position, sequence)
       select $1, now() - age::interval, position, sequence
       from (values ('9 days', '10', 100), ('8 days', '20', 200), ('10 minutes', '30', 900), ('1 minute', '40', 950))
         as marks (age, position, sequence)`,
      [publisher],
    );
  });
  afterAll(() => world.stop());

  it.each<[string, Partial<SeenBroker>, string, bigint | undefined]>([
    ['is empty for the same broker', {}, 'nothing', undefined],
    ['is a week of events for another stream', { streamCreated: 'second' }, 'everything', 20n],
    [
      'is three minutes before the last event for a broker that restarted',
      { serverId: 'another', mayHaveRestarted: true },
      'what was not on its disk',
      30n,
    ],
    [
      'is three minutes for a stream that lacks its newest messages',
      { lastSequence: 920 },
      'what was not on its disk',
      30n,
    ],
    ['is a week of events for a stream out of a backup', { lastSequence: 500 }, 'everything', 20n],
  ])('%s', async (_, seen, loss, after) => {
    expect(await note(seen)).toBe(loss);
    const span = await spanToRepublish(world.db, publisher);
    expect(span).toEqual(after === undefined ? undefined : { after, until: 99n });
    // The same look again finds nothing more.
    expect(await note({ ...seen, mayHaveRestarted: false })).toBe('nothing');
  });

  it('begins with the earlier of two losses', async () => {
    await note({ streamCreated: 'second' });
    await note({ streamCreated: 'second', serverId: 'another', mayHaveRestarted: true });
    expect(await spanToRepublish(world.db, publisher)).toEqual({ after: 20n, until: 99n });
  });
});
