import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { createMediaRooms } from '@parlance/media-rooms';
import { createLogger, type RunningService, systemClock } from '@parlance/observability';
import type { Lock } from '@parlance/postgres';
import { markerOf, type NumberProvider } from '@parlance/telephony';
import { Env } from '../env.js';
import { inboundRulesOf } from '../inbound-addresses.js';
import { repairRoutes } from '../numbers/route-keeping.js';
import { NumbersWorld, providerNames } from '../testing/numbers-world.js';
import { countFindings, InventoryAudit } from './inventory-audit.js';

let world: NumbersWorld;
let service: RunningService;
let now = new Date('2026-03-01T12:00:00.000Z');
beforeAll(async () => {
  world = await NumbersWorld.start();
  service = await world.startService();
});
afterAll(async () => {
  await service?.stop();
  await world?.stop();
});

const audit = () =>
  new InventoryAudit({
    db: world.db,
    clock: { now: () => now },
    logger: createLogger({ service: 'test', level: 'silent' }),
    providers: world.providers,
    installation: 'main',
    orphanPatienceMs: 24 * 3_600_000,
  }).run();

/** Bought behind the platform's back. */
const buyUnder = async (account: NumberProvider, marker: string, index: number): Promise<string> => {
  const offer = (await account.search({ country: 'US', areaCode: 212, limit: 20 }))[index];
  if (offer === undefined) throw new Error('nothing is for sale');
  await account.buy({ phoneNumber: offer.phoneNumber, marker });
  return eventually(async () => {
    const purchase = await account.findByMarker(marker);
    if (purchase.kind !== 'owned') throw new Error('not delivered yet');
    return purchase.number.providerNumberId;
  });
};
const ownedBy = async (account: NumberProvider) =>
  (await account.listOwned()).map(({ providerNumberId }) => providerNumberId);

it.each(providerNames)(
  "what %s has and what is on record are compared, and nobody else's numbers touched",
  async (provider) => {
    const who = ownerOf();
    const account = world.account(provider);
    const mine = [];
    for (let n = 0; n < 3; n += 1) {
      const [offer] = await world.search(provider, who);
      if (offer !== undefined) mine.push(await world.buy(provider, offer, who));
    }
    const foundOf = async () => (await audit()).find((findings) => findings.provider === provider);
    expect(await foundOf()).toEqual({ provider, orphans: [], ghosts: [] });
    const orphans = [];
    for (let n = 0; n < 3; n += 1) orphans.push(await buyUnder(account, markerOf('main', randomUUID()), n));
    const foreign = [
      await buyUnder(account, 'reception', 3),
      await buyUnder(account, markerOf('other', randomUUID()), 4),
    ];
    const ghosts = mine.slice(0, 2).map(({ providerNumberId }) => providerNumberId ?? '');
    for (const ghost of ghosts) await account.release(ghost);

    const found = await foundOf();
    expect(found?.orphans.map(({ providerNumberId }) => providerNumberId).sort()).toEqual(orphans.sort());
    expect(found?.ghosts.map(({ providerNumberId }) => providerNumberId).sort()).toEqual(ghosts.sort());
    expect(await countFindings(world.db)).toBeGreaterThanOrEqual(5);

    now = new Date(now.getTime() + 23 * 3_600_000);
    await audit();
    expect(await ownedBy(account)).toEqual(expect.arrayContaining([...orphans, ...foreign]));
    now = new Date(now.getTime() + 3_600_000);
    await audit();
    const left = await ownedBy(account);
    expect(left).toEqual(expect.arrayContaining(foreign));
    for (const orphan of orphans) expect(left).not.toContain(orphan);
    expect(await foundOf()).toMatchObject({ orphans: [], ghosts: { length: 2 } });
    const { rows } = await world.db.query<{ details: { providerNumberId: string } }>(
      `select details from audit_log where action = 'orphan.released' and details ->> 'provider' = $1`,
      [provider],
    );
    expect(rows.map(({ details }) => details.providerNumberId).sort()).toEqual(orphans.sort());
  },
);

it('a provider that cannot be asked is left out, and what was found at it stays', async () => {
  const before = await countFindings(world.db);
  world.faults.TWILIO.set({ target: 'read', mode: '5xx-before', times: 2 });
  expect((await audit()).map(({ provider }) => provider)).toEqual(['TELNYX']);
  expect(await countFindings(world.db)).toBe(before);
});

describe('the routes of numbers', () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  let lock: Lock;
  // The service repairs routes in rounds of its own, which would race with those of the tests.
  beforeAll(async () => {
    lock = await eventually(async () => {
      const taken = await world.db.tryLock('number-routes');
      if (taken === undefined) throw new Error('a round of the service is repairing routes');
      return taken;
    });
  });
  afterAll(() => lock.release());

  const partsOf = (changes: Readonly<Record<string, string>> = {}) => {
    const env = Env.parse({ ...world.variables, ...changes });
    return {
      db: world.db,
      clock: systemClock,
      logger,
      rooms: createMediaRooms(env, { logger }),
      installation: env.INSTALLATION_NAME,
      inboundRules: inboundRulesOf(env),
    };
  };
  const bought = async (): Promise<string> => {
    const who = ownerOf();
    const offer = (await world.search('TWILIO', who)).at(-1);
    if (offer === undefined) throw new Error('nothing is for sale');
    return (await world.buy('TWILIO', offer, who)).phoneNumber;
  };

  it('are made again where the media server has lost them, and the others stay', async () => {
    const phoneNumber = await bought();
    const parts = partsOf();
    // Plays a Redis that lost its data.
    await parts.rooms.unrouteInbound(phoneNumber);
    expect(await world.callTo(phoneNumber)).toBe(422);
    await repairRoutes(parts);
    expect(await world.callTo(phoneNumber)).toBe(201);
    expect(await repairRoutes(parts)).toEqual({ missing: 0, changed: 0 });
  });

  it('accept calls from the configured addresses alone, also on trunks that were open before', async () => {
    const phoneNumber = await bought();
    const parts = partsOf();
    const stranger = '203.0.113.9';
    expect(await world.callTo(phoneNumber, stranger)).toBe(422);
    await parts.rooms.routeInbound({ phoneNumber, name: 'open', allowedAddresses: ['0.0.0.0/0'] });
    expect(await world.callTo(phoneNumber, stranger)).toBe(201);
    expect(await repairRoutes(parts)).toEqual({ missing: 0, changed: 1 });
    expect(await world.callTo(phoneNumber, stranger)).toBe(422);
    expect(await world.callTo(phoneNumber)).toBe(201);
    expect(await repairRoutes(parts)).toEqual({ missing: 0, changed: 0 });
  });

  it('demand the configured credentials, also on trunks that demanded none or others before', async () => {
    const phoneNumber = await bought();
    const parts = partsOf({
      SIP_INBOUND_USERNAME: 'carrier',
      SIP_INBOUND_PASSWORD: 'a-password-of-a-carrier',
    });
    expect(await world.callTo(phoneNumber)).toBe(201);
    expect((await repairRoutes(parts)).changed).toBeGreaterThan(0);
    expect(await world.callTo(phoneNumber)).toBe(422);
    expect(await repairRoutes(parts)).toEqual({ missing: 0, changed: 0 });
    const others = partsOf({ SIP_INBOUND_USERNAME: 'carrier', SIP_INBOUND_PASSWORD: 'its-next-password' });
    expect((await repairRoutes(others)).changed).toBeGreaterThan(0);
    expect((await repairRoutes(partsOf())).changed).toBeGreaterThan(0);
    expect(await world.callTo(phoneNumber)).toBe(201);
  });
});
