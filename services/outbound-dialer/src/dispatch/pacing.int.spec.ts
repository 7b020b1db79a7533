// Paces and places with a real database, and several copies that ask at the same time.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { forgetCallSlots, takeCallSlot } from './call-slots.js';
import {
  campaignPace,
  forgetPaces,
  paceOf,
  providerPace,
  reserveSlots,
  returnSlots,
  slotAt,
} from './pacing.js';

let engines: TestEngines;
let db: Database;
const now = new Date('2026-06-01T12:00:00.000Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('outbound-dialer');
  db = createDatabase({ url, applicationName: 'test', max: 10 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

/** A limit of calls at the same time, with unlimited money. */
const room = (limit: number) => ({ limit, reserve: async () => undefined });

describe('a pace', () => {
  it('gives everybody other slots, however many ask at once, and none closer together than it says', async () => {
    const pace = campaignPace(randomUUID(), 10);
    const asked = Array.from({ length: 20 }, () =>
      reserveSlots(db, pace, { wanted: 3, now, horizonMs: 60_000 }),
    );
    const slots = (await Promise.all(asked)).flatMap((got) =>
      Array.from({ length: got.count }, (_, index) => slotAt(got, index)),
    );
    expect(slots.sort((a, b) => a - b).map((at) => Math.round(at - now.getTime()))).toEqual(
      Array.from({ length: 60 }, (_, index) => index * 100),
    );
  });

  it('looks no further ahead than it is allowed to, and begins anew after a rest', async () => {
    const pace = campaignPace(randomUUID(), 4);
    expect(await reserveSlots(db, pace, { wanted: 100, now, horizonMs: 1_000 })).toMatchObject({ count: 5 });
    expect(await reserveSlots(db, pace, { wanted: 100, now, horizonMs: 1_000 })).toMatchObject({ count: 0 });
    const hurried = await reserveSlots(db, pace, { wanted: 1, now, horizonMs: 3_600_000 });
    expect([hurried.count, Math.round(slotAt(hurried, 0) - now.getTime())]).toEqual([1, 1_250]);
    const rested = await reserveSlots(db, pace, { wanted: 2, now: after(60_000), horizonMs: 1_000 });
    expect(Math.round(slotAt(rested, 1) - after(60_000).getTime())).toBe(250);
  });

  it('is deleted an hour after its last slot, and one with later slots keeps its place', async () => {
    const [old, current] = [campaignPace(randomUUID(), 1), campaignPace(randomUUID(), 1)];
    await reserveSlots(db, old, { wanted: 1, now, horizonMs: 1_000 });
    await reserveSlots(db, current, { wanted: 3_600, now, horizonMs: 7_200_000 });
    await forgetPaces(db, after(3_602_000));
    const { rows } = await db.query('select account from pacing where account = any($1)', [
      [old.account, current.account],
    ]);
    expect(rows).toEqual([{ account: current.account }]);
    const next = await reserveSlots(db, current, { wanted: 1, now, horizonMs: 7_200_000 });
    expect(Math.round(slotAt(next, 0) - now.getTime())).toBe(3_600_000);
  });

  it('takes back what was not used', async () => {
    const pace = campaignPace(randomUUID(), 1);
    await db.transaction(async (tx) => {
      const slots = await reserveSlots(tx, pace, { wanted: 10, now, horizonMs: 60_000 });
      await returnSlots(tx, slots, 8);
    });
    const next = await reserveSlots(db, pace, { wanted: 1, now, horizonMs: 60_000 });
    expect(Math.round(slotAt(next, 0) - now.getTime())).toBe(2_000);
  });

  it('of a provider stays a little below what its account takes, but not by a tenth', () => {
    const perSecond = 1_000 / providerPace('TWILIO', 5).intervalMs;
    expect(perSecond).toBeLessThan(5);
    expect(perSecond).toBeGreaterThanOrEqual(4.5);
    expect(paceOf({ TWILIO: 1, TELNYX: 10 }, null)).toEqual(providerPace('unknown', 1));
  });
});

describe('the places of an organization', () => {
  it('are never given to more calls than there are, and to one call once', async () => {
    const organizationId = randomUUID();
    const take = (outboundCallId: string) =>
      takeCallSlot(db, { organizationId, outboundCallId, revision: -1n }, room(5), now);
    const got = await Promise.all(Array.from({ length: 20 }, () => take(randomUUID())));
    expect(got.filter(Boolean)).toHaveLength(5);
    expect(
      await takeCallSlot(
        db,
        { organizationId: randomUUID(), outboundCallId: randomUUID(), revision: -1n },
        room(1),
        now,
      ),
    ).toBe(true);
  });

  it('are kept by a call that asks again, the last one too', async () => {
    const organizationId = randomUUID();
    const outboundCallId = randomUUID();
    const take = (id: string) =>
      takeCallSlot(db, { organizationId, outboundCallId: id, revision: -1n }, room(1), now);
    expect(await take(outboundCallId)).toBe(true);
    expect(await take(outboundCallId)).toBe(true);
    expect(await take(randomUUID())).toBe(false);
  });

  it('are free again when nobody ever heard of the call', async () => {
    const organizationId = randomUUID();
    const take = (at: Date) =>
      takeCallSlot(db, { organizationId, outboundCallId: randomUUID(), revision: -1n }, room(1), at);
    expect(await take(now)).toBe(true);
    expect(await take(after(59_000))).toBe(false);
    expect(await take(after(61_000))).toBe(true);
  });

  it('are free again when a call that had ended was not tried again after all', async () => {
    const organizationId = randomUUID();
    const ended = randomUUID();
    await db.query(
      `insert into outbound_calls (id, organization_id, agent_id, mode, status, phase, hang_up, created_at, updated_at,
         revision, state) values ($1, $2, $3, 'quick', 'busy', 'ended', false, $4, $4, 2, '{}')`,
      [ended, organizationId, randomUUID(), now.toISOString()],
    );
    const take = (outboundCallId: string, revision: bigint, at: Date) =>
      takeCallSlot(db, { organizationId, outboundCallId, revision }, room(1), at);
    expect(await take(ended, 2n, now)).toBe(true);
    expect(await take(randomUUID(), -1n, after(59_000))).toBe(false);
    expect(await take(randomUUID(), -1n, after(61_000))).toBe(true);
    await forgetCallSlots(db, after(3_600_000));
    const kept = await db.query('select from call_slots where organization_id = $1', [organizationId]);
    expect(kept.rows).toEqual([]);
  });
});
