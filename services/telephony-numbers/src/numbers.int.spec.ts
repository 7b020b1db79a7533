// The service as it runs, between real stand-ins of both providers and of the media server.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, events, type PhoneNumber, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually, serveOperation } from '@parlance/fixtures';
import { ownerOf, refusal } from '@parlance/fixtures/service';
import { createMediaRooms } from '@parlance/media-rooms';
import { createLogger, type RunningService } from '@parlance/observability';
import { markerOf, purchaseOf } from '@parlance/telephony';
import { Env } from './env.js';
import { inboundRulesOf } from './inbound-addresses.js';
import { reopenRoutes, repairRoutes } from './numbers/route-keeping.js';
import { NumbersWorld, providerNames } from './testing/numbers-world.js';

let world: NumbersWorld;
let service: RunningService;
let inDoubt: readonly Awaited<ReturnType<typeof leftInDoubt>>[];

beforeAll(async () => {
  world = await NumbersWorld.start();
  service = await world.startService();
  // Their time runs out while the other tests run.
  inDoubt = await Promise.all(providerNames.map(leftInDoubt));
});
afterAll(async () => {
  await service?.stop();
  await world?.stop();
});
afterEach(() => {
  world.faults.TWILIO.clear();
  world.faults.TELNYX.clear();
  world.faults.livekit.clear();
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const offerOf = async (provider: (typeof providerNames)[number], who = ownerOf(), index = 0) => {
  const offer = (await world.search(provider, who))[index];
  if (offer === undefined) throw new Error('nothing is for sale');
  return offer;
};
const bought = async (provider: (typeof providerNames)[number], who = ownerOf()): Promise<PhoneNumber> =>
  world.buy(provider, await offerOf(provider, who), who);
/** A purchase that the provider did not make, and of which it says nothing. */
const leftInDoubt = async (provider: (typeof providerNames)[number]) => {
  const who = ownerOf();
  // In an area in which no other test buys.
  const [offer] = await world.search(provider, who, { areaCode: '305' });
  if (offer === undefined) throw new Error('nothing is for sale');
  world.faults[provider].set({ target: 'buy', mode: '5xx-before', times: 1 });
  const answer = await refusal(world.buy(provider, offer, who));
  expect(answer).toMatchObject({ code: 'PROVIDER_ERROR', details: { status: 'provisioning' } });
  expect(await refusal(world.buy(provider, offer, who))).toEqual(code('QUOTE_ALREADY_USED'));
  return { who, provider, offer };
};
const statusOf = async (who: ReturnType<typeof ownerOf>, id: string) =>
  (await world.list(who)).find((number) => number.id === id)?.status;

describe.each(providerNames)('numbers at %s', (provider) => {
  it('are found with their price, by area code, in several countries', async () => {
    const who = ownerOf();
    const offers = await world.search(provider, who, { areaCode: '415', limit: '3' });
    expect(offers).toHaveLength(3);
    for (const offer of offers) {
      expect(offer).toMatchObject({
        ...{ phoneNumber: expect.stringMatching(/^\+1415\d{7}$/), isoCountry: 'US', currency: 'USD' },
      });
      const { providerMonthlyCostMicros: cost, monthlyPriceMicros: price } = offer;
      expect(price).toBe(cost + 250_000);
      expect(Date.parse(offer.quoteExpiresAt) - Date.now()).toBeGreaterThan(590_000);
    }
    expect(
      (await world.search(provider, who, { country: 'GB', areaCode: '20', limit: '2' }))[0],
    ).toMatchObject({ phoneNumber: expect.stringMatching(/^\+4420/), isoCountry: 'GB' });
    expect(await refusal(world.search(provider, who, { country: 'XX' }))).toEqual(code('VALIDATION_ERROR'));
  });

  it.each([
    ['4xx', 'PROVIDER_ERROR'],
    ['429', 'PROVIDER_RATE_LIMITED'],
    ['5xx-before', 'PROVIDER_ERROR'],
    ['hang-after', 'PROVIDER_TIMEOUT'],
  ])('are not found while it answers with %s, and that is %s', async (mode, expected) => {
    world.faults[provider].set({ target: 'search', mode, times: 2 });
    expect(await refusal(world.search(provider, ownerOf()))).toEqual(code(expected));
  });

  it('are bought for the quoted price, routed to the media server, and told of', async () => {
    const who = ownerOf();
    const offer = await offerOf(provider, who);
    const number = await world.buy(provider, offer, who);
    expect(number).toMatchObject({
      provider,
      phoneNumber: offer.phoneNumber,
      friendlyName: offer.friendlyName,
      status: 'active',
      agentId: null,
      monthlyPriceMicros: offer.monthlyPriceMicros,
      providerMonthlyCostMicros: offer.providerMonthlyCostMicros,
      rateCatalogVersion: offer.rateCatalogVersion,
      currency: 'USD',
      purchasedBy: 'u1',
    });
    expect(await world.list(who)).toEqual([number]);
    const marker = markerOf('main', number.id);
    expect(await world.account(provider).findByMarker(marker)).toMatchObject({
      kind: 'owned',
      number: { providerNumberId: number.providerNumberId, phoneNumber: number.phoneNumber },
    });
    expect(await world.callTo(number.phoneNumber)).toBe(201);
    await eventually(() =>
      expect(world.told.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ numberId: number.id, status: 'active', agentId: null }),
      ),
    );
  });

  it('are sold once, however many ask with one quote at the same time', async () => {
    const who = ownerOf();
    const offer = await offerOf(provider, who);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refusal(world.buy(provider, offer, who))),
    );
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    expect(answers.filter(Boolean)).toEqual(Array(49).fill(code('QUOTE_ALREADY_USED')));
    expect(await world.timesBought(offer.phoneNumber)).toBe(1);
  });

  it('are sold to one of two organizations that want the same', async () => {
    const buyers = [ownerOf(), ownerOf()];
    const answers = await Promise.all(
      buyers.map(async (who) => {
        const offer = (await world.search(provider, who)).at(-1);
        return offer && refusal(world.buy(provider, offer, who));
      }),
    );
    expect(answers).toContainEqual(code('NUMBER_UNAVAILABLE'));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
  });

  it('are bought once by a command that comes twice', async () => {
    const who = ownerOf();
    const offer = await offerOf(provider, who);
    const commandId = randomUUID();
    const first = await world.buy(provider, offer, who, commandId);
    expect(await world.buy(provider, offer, who, commandId)).toEqual(first);
    expect(first.id).toBe(commandId);
  });

  it.each([
    ['4xx', 'PROVIDER_ERROR'],
    ['429', 'PROVIDER_RATE_LIMITED'],
  ])('that are refused with %s leave quote and number for another try', async (mode, expected) => {
    const who = ownerOf();
    const offer = await offerOf(provider, who);
    world.faults[provider].set({ target: 'buy', mode, times: 1 });
    expect(await refusal(world.buy(provider, offer, who))).toEqual(code(expected));
    expect(await world.list(who)).toMatchObject([{ status: 'failed', providerNumberId: null }]);
    expect(await world.buy(provider, offer, who)).toMatchObject({ status: 'active' });
    expect(await world.timesBought(offer.phoneNumber)).toBe(1);
  });

  it.each(['5xx-after', 'reset-after', 'hang-after'])(
    'that were bought although the answer was %s are adopted',
    async (mode) => {
      const who = ownerOf();
      const offer = await offerOf(provider, who);
      world.faults[provider].set({ target: 'buy', mode, times: 1 });
      expect(await world.buy(provider, offer, who)).toMatchObject({ phoneNumber: offer.phoneNumber });
      await eventually(async () => expect(await world.list(who)).toMatchObject([{ status: 'active' }]));
      expect(await world.timesBought(offer.phoneNumber)).toBe(1);
    },
  );

  it('that cannot be routed yet work as soon as they can', async () => {
    const who = ownerOf();
    const offer = await offerOf(provider, who);
    world.faults.livekit.set({ target: 'trunks', mode: '5xx-before' });
    const number = await world.buy(provider, offer, who);
    expect(number).toMatchObject({ status: 'provisioning', providerNumberId: expect.any(String) });
    expect(await refusal(world.release(number.id, who))).toEqual(code('CONFLICT'));
    world.faults.livekit.clear();
    await eventually(async () => expect(await statusOf(who, number.id)).toBe('active'), {
      timeoutMs: 60_000,
    });
  });

  it('are given back for good, and once', async () => {
    const who = ownerOf();
    const number = await bought(provider, who);
    await world.release(number.id, who);
    expect(await world.list(who)).toEqual([]);
    expect(await refusal(world.release(number.id, who))).toEqual(code('NUMBER_NOT_FOUND'));
    const owned = await world.account(provider).listOwned();
    expect(owned.map(({ phoneNumber }) => phoneNumber)).not.toContain(number.phoneNumber);
    await eventually(() =>
      expect(
        world.told.filter(({ data }) => data.numberId === number.id).map(({ data }) => data.status),
      ).toEqual(['active', 'releasing', 'released']),
    );
  });

  it('are given back although the provider fails at first, and nobody can use them meanwhile', async () => {
    const who = ownerOf();
    const number = await bought(provider, who);
    world.faults[provider].set({ target: 'release', mode: '5xx-before' });
    expect(await refusal(world.release(number.id, who))).toEqual(code('PROVIDER_ERROR'));
    expect(await statusOf(who, number.id)).toBe('releasing');
    await world.release(number.id, who);
    const asked = { body: { fromNumber: number.phoneNumber } };
    expect(await world.ask(serviceRequests.numbersForDialing, asked, who)).toMatchObject({ number: null });
    world.faults[provider].clear();
    await eventually(async () => expect(await statusOf(who, number.id)).toBeUndefined(), {
      timeoutMs: 60_000,
    });
  });
});

it('a purchase that was not made, and nobody can say so, is in doubt until time is up', async () => {
  for (const { who, provider, offer } of inDoubt) {
    await eventually(async () => expect(await world.list(who)).toMatchObject([{ status: 'failed' }]), {
      timeoutMs: 60_000,
      intervalMs: 250,
    });
    expect(await world.buy(provider, offer, who)).toMatchObject({ status: 'active' });
    expect(await world.timesBought(offer.phoneNumber)).toBe(1);
  }
});

describe('a quote', () => {
  it('is needed, unless people buy at their own account, who pay what it costs', async () => {
    const who = ownerOf();
    const { phoneNumber } = await offerOf('TWILIO', who);
    const body = { provider: 'TWILIO' as const, phoneNumber };
    expect(await refusal(world.ask(contract.numbersBuy, { body }, who))).toEqual(code('QUOTE_REQUIRED'));
    await service.stop();
    service = await world.startService({ BILLING_MODE: 'own' });
    const number = await world.ask(contract.numbersBuy, { body }, who);
    expect(number).toMatchObject({ status: 'active', monthlyPriceMicros: number.providerMonthlyCostMicros });
    const gone = { provider: 'TELNYX' as const, phoneNumber: '+14155550100' };
    expect(await refusal(world.ask(contract.numbersBuy, { body: gone }, who))).toEqual(
      code('NUMBER_UNAVAILABLE'),
    );
    await service.stop();
    service = await world.startService();
  });

  it('of another organization, provider or number, or forged, buys nothing and asks nobody', async () => {
    const [who, other] = [ownerOf(), ownerOf()];
    const [offer, second] = [await offerOf('TWILIO', who), await offerOf('TWILIO', who, 1)];
    const before = (await world.ledger()).length;
    const answers = await Promise.all([
      refusal(world.buy('TWILIO', offer, other)),
      refusal(world.buy('TELNYX', offer, who)),
      refusal(world.buy('TWILIO', { ...offer, phoneNumber: second.phoneNumber }, who)),
      refusal(world.buy('TWILIO', { ...offer, quoteId: `${offer.quoteId}x` }, who)),
      refusal(world.buy('TWILIO', { ...offer, quoteId: 'x' }, who)),
    ]);
    for (const answer of answers) expect(answer).toEqual(new AppError('QUOTE_INVALID'));
    expect(await world.ledger()).toHaveLength(before);
  });

  it('is good for ten minutes and not for a second more, and then buys nothing and asks nobody', async () => {
    const who = ownerOf();
    const [late, inTime] = [await offerOf('TWILIO', who), await offerOf('TWILIO', who, 1)];
    const before = (await world.ledger()).length;
    let putOnMs = 0;
    const quotedAt = Date.parse(late.quoteExpiresAt);
    const clock = { now: () => new Date(quotedAt + putOnMs) };
    await service.stop();
    service = await world.startService({}, clock);
    putOnMs = 1_000;
    expect(await refusal(world.buy('TWILIO', late, who))).toEqual(code('QUOTE_EXPIRED'));
    expect(await world.ledger()).toHaveLength(before);
    expect(await world.list(who)).toEqual([]);
    putOnMs = -1_000;
    expect(await world.buy('TWILIO', inTime, who)).toMatchObject({ phoneNumber: inTime.phoneNumber });
    await service.stop();
    service = await world.startService();
  });

  it('binds, also after prices went up', async () => {
    const who = ownerOf();
    const offer = await offerOf('TWILIO', who);
    await service.stop();
    service = await world.startService({ NUMBER_MARKUP_BASIS_POINTS: '50000' });
    expect(await world.buy('TWILIO', offer, who)).toMatchObject({
      monthlyPriceMicros: offer.monthlyPriceMicros,
      rateCatalogVersion: offer.rateCatalogVersion,
    });
    const dearer = await offerOf('TWILIO', who);
    expect(dearer.monthlyPriceMicros).toBeGreaterThan(offer.monthlyPriceMicros);
    const { rows } = await world.db.query<{ version: string }>('select version from rate_catalogs');
    expect(rows.map(({ version }) => version)).toEqual(
      expect.arrayContaining([offer.rateCatalogVersion, dearer.rateCatalogVersion]),
    );
    await service.stop();
    service = await world.startService();
  });
});

describe('an agent', () => {
  const assign = (id: string, agentId: string | null, who: ReturnType<typeof ownerOf>) =>
    world.ask(contract.numbersAssign, { params: { phId: id }, body: { agentId } }, who);

  it('answers a number that it is given, under the name it has, until it is taken away or deleted', async () => {
    const who = ownerOf();
    const number = await bought('TWILIO', who);
    const agentId = randomUUID();
    expect(await refusal(assign(number.id, agentId, who))).toEqual(code('AGENT_NOT_FOUND'));
    world.agents.set(agentId, 'Front desk');
    expect(await assign(number.id, agentId, who)).toMatchObject({ agentId, agentName: 'Front desk' });
    await world.announce(events.agentUpdated, who.organizationId, {
      agentId,
      name: 'Reception',
      isActive: true,
    });
    await eventually(async () => expect(await world.list(who)).toMatchObject([{ agentName: 'Reception' }]));
    expect(await assign(number.id, null, who)).toMatchObject({ agentId: null, agentName: null });
    await assign(number.id, agentId, who);
    await world.announce(events.agentDeleted, who.organizationId, { agentId, name: 'Reception' });
    await eventually(async () => expect(await world.list(who)).toMatchObject([{ agentId: null }]));
    // The agent is gone, even if agents-config would still know it.
    expect(await refusal(assign(number.id, agentId, who))).toEqual(code('AGENT_NOT_FOUND'));
    await eventually(() => {
      const told = world.told
        .filter(({ data }) => data.numberId === number.id)
        .map(({ data }) => data.version);
      expect(told).toEqual([...told].sort((a, b) => a - b));
      expect(new Set(told).size).toBe(5);
    });
  });

  it('of nobody, and a number of somebody else, are not found', async () => {
    const [who, other] = [ownerOf(), ownerOf()];
    const number = await bought('TELNYX', who);
    expect(await refusal(assign(number.id, null, other))).toEqual(code('NUMBER_NOT_FOUND'));
    expect(await refusal(world.release(number.id, other))).toEqual(code('NUMBER_NOT_FOUND'));
    expect(await refusal(assign(randomUUID(), null, who))).toEqual(code('NUMBER_NOT_FOUND'));
  });

  it('is what the voice runtime gets for a called number, or why there is none', async () => {
    const who = ownerOf();
    const number = await bought('TWILIO', who);
    const agentId = randomUUID();
    const ask = (phoneNumber: string) =>
      world.ask(
        contract.internalNumberConfig,
        { params: { phoneNumber }, query: { callerNumber: '+12125550123', dynamicVariables: '{"a":"b"}' } },
        ownerOf(''),
      );
    expect(await refusal(ask('+14155550100'))).toEqual(code('NUMBER_NOT_FOUND'));
    expect(await refusal(ask(number.phoneNumber))).toEqual(code('AGENT_NOT_FOUND'));
    world.agents.set(agentId, 'Front desk');
    await assign(number.id, agentId, who);
    const body = { phoneNumber: number.phoneNumber };
    expect(await world.ask(serviceRequests.numbersAgentOf, { body }, ownerOf(''))).toEqual({
      ...{ agentId, organizationId: who.organizationId, phoneNumber: number.phoneNumber },
    });
    let isActive = false;
    const served = await serveOperation(world.nats, contract.internalAgentConfig, () =>
      isActive
        ? { data: { agent: { id: agentId, organizationId: who.organizationId }, config: {} } }
        : { error: new AppError('AGENT_INACTIVE').toWire() },
    );
    expect(await refusal(ask(number.phoneNumber))).toEqual(code('AGENT_INACTIVE'));
    expect(served.asked[0]?.input).toMatchObject({
      params: { agentId },
      query: { callerNumber: '+12125550123', dynamicVariables: { a: 'b' } },
    });
    isActive = true;
    expect(await ask(number.phoneNumber)).toMatchObject({
      agent: { id: agentId },
      phoneNumber: number.phoneNumber,
    });
    served.stop();
  });

  it('gets no room for a minute once more calls come than its pace allows, and other numbers do', async () => {
    const who = ownerOf();
    const [flooded, other] = [await bought('TWILIO', who), await bought('TWILIO', who)];
    const env = Env.parse(world.variables);
    const call = (phoneNumber: string) =>
      world.ask(contract.internalNumberConfig, { params: { phoneNumber }, query: {} }, ownerOf(''));
    let answered = 0;
    // Neither number has an agent: a call that is counted is refused for that.
    for (;;) {
      const error = await refusal(call(flooded.phoneNumber));
      if (!(error instanceof AppError) || error.code !== 'AGENT_NOT_FOUND') break;
      answered += 1;
    }
    expect(answered).toBeGreaterThanOrEqual(env.INBOUND_CALLS_PER_MINUTE);
    expect(await refusal(call(flooded.phoneNumber))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 60,
    });
    expect(await world.callTo(flooded.phoneNumber)).toBe(422);
    expect(await refusal(call(other.phoneNumber))).toEqual(code('AGENT_NOT_FOUND'));
    expect(await world.callTo(other.phoneNumber)).toBe(201);

    const logger = createLogger({ service: 'test', level: 'silent' });
    const after = (ms: number) => ({
      db: world.db,
      clock: { now: () => new Date(Date.now() + ms) },
      logger,
      rooms: createMediaRooms(env, { logger }),
      installation: env.INSTALLATION_NAME,
      inboundRules: inboundRulesOf(env),
    });
    // What repairs lost routes leaves a closed number alone.
    expect(await repairRoutes(after(0))).toEqual({ missing: 0, changed: 0 });
    expect(await reopenRoutes(after(50_000))).toBe(0);
    expect(await world.callTo(flooded.phoneNumber)).toBe(422);
    expect(await reopenRoutes(after(61_000))).toBe(1);
    expect(await world.callTo(flooded.phoneNumber)).toBe(201);
  });
});

describe('the audit log', () => {
  it('has every purchase, assignment and release with who asked for it, and is never changed', async () => {
    const who = ownerOf();
    const number = await bought('TWILIO', who);
    await world.release(number.id, who);
    const { rows } = await world.db.query<{ action: string; actor: string; request_id: string | null }>(
      'select action, actor, request_id from audit_log where number_id = $1 order by id',
      [number.id],
    );
    expect(rows).toMatchObject([
      { action: 'purchase.requested', actor: 'user:u1', request_id: expect.any(String) },
      { action: 'purchase.completed', actor: 'platform' },
      { action: 'release.requested', actor: 'user:u1', request_id: expect.any(String) },
      { action: 'release.completed', actor: 'platform' },
    ]);
    await expect(world.db.query('delete from audit_log')).rejects.toThrow('not changed');
    await expect(world.db.query("update audit_log set actor = 'me'")).rejects.toThrow('not changed');
  });
});

it('no number at a provider carries a marker that is not on record', async () => {
  for (const provider of providerNames) {
    const owned = await world.account(provider).listOwned();
    const { rows } = await world.db.query<{ id: string }>(
      `select id from numbers where provider = $1 and status = 'active'`,
      [provider],
    );
    expect(owned.map(({ marker }) => purchaseOf('main', marker)).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    );
  }
});
