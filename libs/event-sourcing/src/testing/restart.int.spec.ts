import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createEventStoreFaults, type RunningEventStore, startEventStore } from '@parlance/fake-eventstore';
import { eventually } from '@parlance/fixtures';
import { connectEventStore, type EventStoreConnection, postgresProjector } from '../index.js';
import { type LampEvent, lampEvents, lit, meta, mirror, startWorld, type World } from './lamps.js';

describe('a subscriber', () => {
  const faults = createEventStoreFaults();
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-test-'));
  let world: World;
  let server: RunningEventStore;
  let eventStore: EventStoreConnection;

  beforeAll(async () => {
    world = await startWorld();
    server = await startEventStore({ dataDir, fsync: false, faults });
    eventStore = connectEventStore({
      url: new Secret(server.connectionString),
      name: 'test',
      personalData: mirror,
      deadlineMs: 1_000,
    });
  });
  afterAll(async () => {
    await eventStore.close();
    await server.stop();
    await world.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const append = (lamp: string, event: LampEvent) =>
    eventStore.append(`restart-${lamp}`, [event], 'none', meta(), lampEvents);

  it('says how long it has been behind while the store restarts, subscribes again, and misses and repeats nothing', async () => {
    const seen: string[] = [];
    const subscriber = postgresProjector({
      ...world.subscriber('restart'),
      eventStore,
      handle: async (_tx, { entityId }) => {
        seen.push(entityId);
      },
    });
    const [before, after] = [randomUUID(), randomUUID()];
    const { position } = await append(before, lit(1));
    await subscriber.whenProcessed(position ?? 0n);
    await server.stop();
    await eventually(() => expect(subscriber.lagMs()).toBeGreaterThan(0));
    server = await startEventStore({ dataDir, fsync: false, faults, port: server.port });
    const later = await eventually(() => append(after, lit(1)));
    await subscriber.whenProcessed(later.position ?? 0n, { timeoutMs: 60_000 });
    expect(seen).toEqual([before, after]);
    await eventually(() => expect(subscriber.lagMs()).toBe(0));
    await subscriber.stop();
  });

  it('does not wait for ever for a subscription that nobody answers', async () => {
    const lamp = randomUUID();
    const { position } = await append(lamp, lit(1));
    const seen: string[] = [];
    faults.set({ target: 'subscribe', mode: 'slow', ms: 600_000, times: 1 });
    const subscriber = postgresProjector({
      ...world.subscriber('unanswered'),
      category: 'restart',
      eventStore,
      handle: async (_tx, { entityId }) => {
        seen.push(entityId);
      },
    });
    await subscriber.whenProcessed(position ?? 0n, { timeoutMs: 30_000 });
    expect(seen).toContain(lamp);
    await eventually(() => expect(subscriber.lagMs()).toBe(0));
    await subscriber.stop();
  });
});
